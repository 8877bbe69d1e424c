-- What could be read of our busiest counterpart at a past instant? (Here: when the newest day began.)
select
    past.code,
    count(*) filter (where not past.is_item) as requirements,
    count(*) filter (where past.is_item) as items
from analytics.freshness
cross join lateral analytics.consents_on(newest_day::timestamp at time zone time_zone) as past
where past.entity_id = (
    select entity_id from analytics.counterparts order by activities desc, entity_id limit 1
)
group by 1
order by 1
