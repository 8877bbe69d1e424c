-- Take a request on as docs/authorizations.md "States" says, unless it has left the state it was read in, or another
-- request has the activity. now: the service's time when a call begins or ends.
update warehouse.authorization_requests as request
set
    state = %(state)s,
    state_reason = %(reason)s,
    activity_id = %(activity_id)s::uuid,
    counterpart_id = %(counterpart_id)s,
    recognized = %(recognized)s::jsonb,
    resolved_from = %(resolved_from)s,
    candidates = %(candidates)s,
    next_look_at = case when %(state)s in ('sent', 'unknown') then now() + %(look_in)s::interval end,
    clock_offset = coalesce(%(clock_offset)s, request.clock_offset),
    -- A queued request has no call that may have had an effect: neither instants nor, for the limits, an attempt.
    sent_at = case %(state)s
        when 'queued' then null
        when 'sending' then %(now)s::timestamptz
        else request.sent_at
    end,
    answered_at = case
        when %(state)s in ('queued', 'sending') then null
        when %(before)s = 'sending' then greatest(%(now)s::timestamptz, request.sent_at)
        else request.answered_at
    end,
    attempts = case
        when %(state)s = 'sending' then request.attempts + 1
        when %(state)s = 'queued' and %(before)s = 'sending' then request.attempts - 1
        else coalesce(%(attempts)s, request.attempts)
    end
where request.id = %(id)s::uuid
    and request.state = %(before)s
    and not exists (
        select from warehouse.authorization_requests as other
        where other.activity_id = %(activity_id)s::uuid
    )
