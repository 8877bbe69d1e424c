-- What became of requests, of some or of all, in the order in which they were queued.
select
    request.id::text as id,
    request.reference,
    request.source,
    request.phone_number,
    outcome.result,
    outcome.accepted,
    request.state_reason as reason,
    outcome.requested_at,
    outcome.attended_at,
    outcome.activity_id::text as activity_id
from warehouse.authorization_requests as request
inner join analytics.authorization_outcomes as outcome on outcome.request_id = request.id
where %(ids)s::uuid[] is null or request.id = any(%(ids)s::uuid[])
order by request.requested_at, request.id
