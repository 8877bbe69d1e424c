-- Take a request on as docs/authorizations.md "States" says, unless it has left the state it was read in, or another
-- request has the activity. more: other columns by name; now is the service's time when a call begins or ends.
update warehouse.authorization_requests as request
set
    state = %(state)s,
    state_reason = %(reason)s,
    activity_id = (given.more ->> 'activity_id')::uuid,
    counterpart_id = given.more ->> 'counterpart_id',
    more_activity_ids = '{}',
    resolved_from = given.more ->> 'resolved_from',
    candidates = coalesce(given.more -> 'candidates', '[]'),
    -- At once when nothing is said of the next look.
    next_look_at = case
        when %(state)s in ('sent', 'unknown') then coalesce(given.now + (given.more ->> 'look_in')::interval, now())
    end,
    -- A queued request has no call that may have had an effect: neither instants nor, for the limits, an attempt.
    sent_at = case %(state)s
        when 'queued' then null
        when 'sending' then given.now
        when 'linked' then coalesce(request.sent_at, given.now)
        when 'rejected' then coalesce(request.sent_at, given.now)
        else request.sent_at
    end,
    answered_at = case
        when %(state)s in ('queued', 'sending') then null
        when %(before)s = 'sending' then greatest(given.now, request.sent_at)
        else request.answered_at
    end,
    attempts = case
        when %(state)s = 'sending' then request.attempts + 1
        when %(state)s = 'queued' and %(before)s = 'sending' then request.attempts - 1
        else request.attempts
    end
from (
    select
        said.more,
        (said.more ->> 'now')::timestamptz as now
    from (select %(more)s::jsonb) as said (more)
) as given
where request.id = %(id)s::uuid
    and request.state = %(before)s
    and not exists (
        select from warehouse.authorization_requests as other
        where other.activity_id = (given.more ->> 'activity_id')::uuid
            or (other.more_activity_ids <> '{}' and (given.more ->> 'activity_id')::uuid = any(other.more_activity_ids))
    )
