-- Committed before the call: whatever becomes of it, it will not be made a second time unseen.
update warehouse.authorization_requests
set
    state = 'sending',
    state_reason = null,
    sent_at = %(now)s,
    answered_at = null,
    attempts = attempts + 1,
    candidates = '[]',
    next_look_at = null
where id = %(id)s::uuid
    and state = 'queued'
