-- The counterparts that the requests to a number led to.
select distinct coalesce(request.counterpart_id, activity.entity_id::text) as entity
from ({requests}) as request
left join warehouse.activities as activity on activity.id = request.activity_id
where coalesce(request.counterpart_id, activity.entity_id::text) is not null
