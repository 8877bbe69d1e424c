-- How many hours does it take until a change is in the warehouse?
-- The answer changes with the clock.
select
    date_trunc('week', details_fetched_at at time zone freshness.time_zone)::date as week,
    count(*) as changes,
    percentile_cont(0.5) within group (
        order by extract(epoch from details_fetched_at - updated_at) / 3600
    ) as hours_p50,
    percentile_cont(0.9) within group (
        order by extract(epoch from details_fetched_at - updated_at) / 3600
    ) as hours_p90
from analytics.activities
cross join analytics.freshness
-- What changed before the first run was not waited for.
where updated_at > now() - interval '8 weeks' and updated_at >= (select min(first_seen_at) from analytics.activities)
group by 1
order by 1 desc
