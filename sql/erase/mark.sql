-- Marks the activities whose values were erased, so the next night does not look at them again.
update warehouse.activities as activity set
    values_erased_at = (
        select max(erased.erased_at) from sync.erasures as erased where erased.activity_id = activity.id
    )
where activity.id = any(%(ids)s::uuid[])
    and activity.values_erased_at is null
    and exists (select from sync.erasures as erased where erased.activity_id = activity.id)
