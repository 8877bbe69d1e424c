-- depends: status_changes
-- The stock: how many activities were in which status when each day ended.
create view analytics.daily_status as
with steps as (
    select day, status, sum(change) as change
    from (
        select entered_day as day, status, 1 as change
        from analytics.status_changes
        union all
        select left_day, status, -1
        from analytics.status_changes
        where left_day is not null
    ) as move
    group by day, status
),

grid as (
    select series.day::date as day, entered.status
    from generate_series(
        (select min(steps.day) from steps)::timestamp,
        (select calendar.today from sync.calendar)::timestamp,
        interval '1 day'
    ) as series (day)
    cross join (select distinct status from steps where change > 0) as entered
)

select
    grid.day,
    grid.status,
    label.label as status_label,
    sum(coalesce(steps.change, 0)) over (partition by grid.status order by grid.day)::bigint as activities
from grid
left join steps on steps.day = grid.day and steps.status is not distinct from grid.status
left join analytics.codes as label on label.kind = 'status' and label.code = grid.status;

comment on view analytics.daily_status is
    'One row per day and status, up to today: how many activities were in the status when the day ended. A stock: do not add up days.';
comment on column analytics.daily_status.day is 'Day in the configured time zone. Today: until now.';
comment on column analytics.daily_status.status is 'Status.';
comment on column analytics.daily_status.activities is 'Number of activities in it at the end of the day, as long as the service offers them.';
