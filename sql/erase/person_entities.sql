-- The counterparts that the requests to a number led to. An unregistered one to which requests to other numbers led, too,
-- may stand for everybody who is not registered: it is not the person.
select distinct found.entity
from (
    select coalesce(request.counterpart_id, activity.entity_id::text) as entity
    from ({requests}) as request
    left join warehouse.activities as activity on activity.id = request.activity_id
) as found
where found.entity is not null
    and (
        exists (
            select
            from warehouse.entities as entity
            where entity.id::text = found.entity and entity.unregistered is not true
        )
        or not exists (
            select
            from warehouse.authorization_requests as other
            where other.counterpart_id = found.entity
                and other.phone_number like '+%%'
                and coalesce(other.subscriber, other.phone_number) <> all(%(numbers)s::text[])
        )
    )
