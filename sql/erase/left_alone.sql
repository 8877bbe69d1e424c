-- Counterparts of some activities that have no activity left with personal data: their profiles go, too.
select distinct activity.entity_id::text
from warehouse.activities as activity
where activity.id = any(%(ids)s::uuid[])
    and activity.entity_id is not null
    and not exists (
        select
        from warehouse.activities as other
        where other.entity_id = activity.entity_id and other.personal_erased_at is null
    )
