-- Move a request on, unless it has left the state it was read in, or another request has the activity.
-- A queued request has no call that may have had an effect, so it has no instants.
update warehouse.authorization_requests as request
set
    state = %(state)s,
    state_reason = %(reason)s,
    activity_id = %(activity_id)s::uuid,
    counterpart_id = %(counterpart_id)s,
    recognized = %(recognized)s::jsonb,
    resolved_from = %(resolved_from)s,
    sent_at = case when %(state)s = 'queued' then null else request.sent_at end,
    answered_at = case when %(state)s = 'queued' then null else request.answered_at end,
    attempts = %(attempts)s,
    candidates = '[]',
    -- What a person takes back is looked for at once.
    next_look_at = case when %(state)s in ('sent', 'unknown') then now() end
where request.id = %(id)s::uuid
    and request.state = %(before)s
    and not exists (
        select from warehouse.authorization_requests as other
        where other.activity_id = %(activity_id)s::uuid
    )
