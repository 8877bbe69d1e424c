-- Marks activities whose values were erased, or all that is personal, so the next night does not look at
-- them again.
update warehouse.activities as activity set
    values_erased_at = coalesce(activity.values_erased_at, erased.at),
    personal_erased_at = coalesce(activity.personal_erased_at, erased.wholly_at)
from (
    select
        activity_id,
        max(erased_at) as at,
        max(erased_at) filter (where reason = 'retention') as wholly_at
    from sync.erasures
    where activity_id = any(%(ids)s::uuid[])
    group by activity_id
) as erased
where activity.id = erased.activity_id
    and (
        activity.values_erased_at is null
        or (activity.personal_erased_at is null and erased.wholly_at is not null)
    )
