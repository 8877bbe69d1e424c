-- The authorization requests of a person: to one of these numbers, or known to be the counterpart's.
select request.*
from warehouse.authorization_requests as request
left join warehouse.activities as activity on activity.id = request.activity_id
where coalesce(request.subscriber, request.phone_number) = any(%(numbers)s::text[])
    or request.id = any(%(requests)s::uuid[])
    or request.counterpart_id = %(entity)s::text
    or activity.entity_id = %(entity)s::uuid
