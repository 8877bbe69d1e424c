-- Authorization requests
select
    request.id::text as id, request.reference, request.phone_country_code, request.phone_number,
    request.description, request.requirements, request.state, request.state_reason,
    request.requested_at, request.sent_at, request.answered_at, request.source,
    request.activity_id::text as activity_id
from ({requests}) as request
order by request.requested_at, request.id
