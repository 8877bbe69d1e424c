-- queued -> sending. Committed before the call, so that a process that dies in the call leaves a trace of it.
update warehouse.authorization_requests
set
    state = 'sending',
    state_reason = null,
    sent_at = %(now)s,
    clock_offset = %(clock)s,
    answered_at = null,
    attempts = attempts + 1,
    candidates = '[]',
    next_look_at = null,
    resolved_from = null
where id = %(id)s::uuid
    and state = 'queued'
