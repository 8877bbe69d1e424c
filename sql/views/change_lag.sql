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

comment on view analytics.change_lag is
    'Per week: hours from a change in the service (updated_at) until the warehouse showed it (details_fetched_at), of the latest change of each activity. Changes before the first run (sync.runs) are left out: nobody looked yet. The service does not promise that updated_at moves with every change.';
comment on column analytics.change_lag.week is 'Monday of the week in which the warehouse first showed the changes, in the configured time zone.';
comment on column analytics.change_lag.changes is 'Number of activities whose latest change this is.';
comment on column analytics.change_lag.hours_p50 is 'Half of the changes were shown after at most this many hours.';
comment on column analytics.change_lag.hours_p90 is '90 % of the changes were shown after at most this many hours.';
comment on column analytics.change_lag.hours_max is 'Hours of the slowest change.';
