-- sending -> the state that the end of the call leads to. A queued request has no call that may have had an
-- effect, so it has no instants, and no attempt: neither limit counts it.
update warehouse.authorization_requests
set
    state = %(state)s,
    state_reason = %(reason)s,
    sent_at = case when %(state)s = 'queued' then null else sent_at end,
    answered_at = case when %(state)s = 'queued' then null else greatest(%(now)s, sent_at) end,
    attempts = attempts - (%(state)s = 'queued')::integer,
    next_look_at = now() + %(look_in)s::interval
where id = %(id)s::uuid
    and state = 'sending'
