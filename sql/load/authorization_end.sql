-- A call that surely had no effect leaves no instants behind: it counts for nothing.
update warehouse.authorization_requests
set
    state = %(state)s,
    state_reason = %(reason)s,
    sent_at = case when %(state)s = 'queued' then null else sent_at end,
    answered_at = case when %(state)s = 'queued' then null else greatest(%(now)s, sent_at) end,
    next_look_at = now() + %(look_in)s::interval
where id = %(id)s::uuid
    and state = 'sending'
