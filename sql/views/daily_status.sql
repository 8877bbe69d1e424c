-- depends: daily_status_changes
-- refreshed whole
-- How many activities were in which status at the end of each day: one row per day and status up to
-- today. Each row adds up the changes of all days before it, so it is stored.
create table analytics.daily_status (
    day date,
    status text,
    status_label text,
    activities bigint,
    constraint daily_status_key unique nulls not distinct (day, status)
);

create function sync.fresh_daily_status() returns setof analytics.daily_status
language sql
stable
as $$
    with steps as (
        select day, status, sum(change) as change
        from analytics.daily_status_changes
        group by day, status
    ),

    days as (
        select series.day::date as day
        from generate_series(
            (select min(steps.day) from steps)::timestamp,
            (
                now() at time zone coalesce(
                    (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
                )
            )::date::timestamp,
            interval '1 day'
        ) as series (day)
    ),

    grid as (
        select days.day, entered.status
        from days
        cross join (select distinct status from steps where change > 0) as entered
    )

    select
        grid.day,
        grid.status,
        label.label,
        sum(coalesce(steps.change, 0)) over (partition by grid.status order by grid.day)::bigint
    from grid
    left join steps on steps.day = grid.day and steps.status is not distinct from grid.status
    left join analytics.codes as label on label.kind = 'status' and label.code = grid.status
$$;
comment on function sync.fresh_daily_status is
    'All rows of analytics.daily_status, added up now from analytics.daily_status_changes.';

comment on table analytics.daily_status is
    'How many activities were in each status at the end of each day, from the timelines, as long as the service offers them. The rows of today are as of the last refresh.';
comment on column analytics.daily_status.day is 'The day in the configured time zone. Its last instant counts.';
comment on column analytics.daily_status.status is 'Status of the activities. Every status ever seen has one row per day.';
comment on column analytics.daily_status.status_label is 'Label of the status.';
comment on column analytics.daily_status.activities is 'Number of activities in that status at the end of the day.';
