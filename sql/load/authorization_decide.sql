-- A person's decision, unless the request has moved on meanwhile. What goes back to the queue had no effect.
update warehouse.authorization_requests
set
    state = %(state)s,
    state_reason = %(reason)s,
    activity_id = %(activity_id)s::uuid,
    sent_at = case when %(state)s = 'queued' then null else sent_at end,
    answered_at = case when %(state)s = 'queued' then null else answered_at end,
    attempts = case when %(state)s = 'queued' then 0 else attempts end,
    candidates = '[]',
    next_look_at = null
where id = %(id)s::uuid
    and state = %(before)s
