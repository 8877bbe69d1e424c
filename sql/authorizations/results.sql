-- What became of the lines of a file, in its order; without lines, of all requests in the order in which they were
-- queued. A line is a stored request (id), or has a result of its own and a reason.
select
    given.line,
    request.id::text as id,
    coalesce(request.reference, given.reference) as reference,
    request.source,
    coalesce(request.phone_number, given.phone_number) as phone_number,
    coalesce(outcome.result, given.result) as result,
    outcome.accepted_codes as accepted,
    coalesce(request.state_reason, given.reason) as reason,
    outcome.requested_at,
    outcome.attended_at,
    outcome.activity_id::text as activity_id
from (
    select line, id, reference, phone_number, result, reason
    from jsonb_to_recordset(%(lines)s::jsonb) as given (
        line integer, id uuid, reference text, phone_number text, result text, reason text
    )
    union all
    select null, stored.id, null, null, null, null
    from warehouse.authorization_requests as stored
    where %(lines)s::jsonb is null
) as given
left join warehouse.authorization_requests as request on request.id = given.id
left join analytics.authorization_outcomes as outcome on outcome.request_id = given.id
order by given.line, request.requested_at, request.id
