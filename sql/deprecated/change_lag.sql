-- How long changes took until the warehouse showed them.
create view analytics.change_lag as
with visible as (
    select
        date_trunc('week', activity.details_fetched_at at time zone coalesce(
            (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
        ))::date as week,
        extract(epoch from activity.details_fetched_at - activity.updated_at)::double precision
        / 3600 as hours
    from warehouse.activities as activity
    where activity.updated_at >= coalesce((select min(started_at) from sync.runs), '-infinity')
)

select
    week,
    count(*) as changes,
    percentile_cont(0.5) within group (order by hours) as hours_p50,
    percentile_cont(0.9) within group (order by hours) as hours_p90,
    max(hours) as hours_max
from visible
group by week;
comment on view analytics.change_lag is 'Deprecated: use analytics.activities: details_fetched_at - updated_at.';
