-- Activities written again from responses that landing holds already: landing says when the first
-- response came, and when the stored details were first received in this form; if it has lost them, the
-- times stay. The record of erasures says when values were erased.
update warehouse.activities as stored set
    first_seen_at = landed.first_seen_at,
    details_fetched_at = landed.details_fetched_at,
    values_erased_at = landed.values_erased_at
from (
    select
        activity.id,
        coalesce(
            least(
                (
                    select min(details.first_seen_at)
                    from landing.activity_details as details
                    where details.activity_id = activity.id
                ),
                (
                    select min(listed.first_seen_at)
                    from landing.activity_list_rows as listed
                    where listed.activity_id = activity.id
                )
            ),
            activity.first_seen_at
        ) as first_seen_at,
        case
            when activity.details_fetched_at is not null
                then coalesce(
                    (
                        select max(details.first_seen_at)
                        from landing.activity_details as details
                        where details.activity_id = activity.id
                    ),
                    activity.details_fetched_at
                )
        end as details_fetched_at,
        (
            select max(erased.erased_at)
            from sync.erasures as erased
            where erased.activity_id = activity.id
        ) as values_erased_at
    from warehouse.activities as activity
    where activity.id = any(%(ids)s::uuid[])
) as landed
where stored.id = landed.id
    and (stored.first_seen_at, stored.details_fetched_at, stored.values_erased_at)
    is distinct from (landed.first_seen_at, landed.details_fetched_at, landed.values_erased_at)
