-- How many activities were in which status when each day ended. Counted over all timelines, so it
-- is materialised. The status that the activity has now is the last word: it is added behind the
-- timeline, and counts from updated_at where the timeline does not end in it. SENT and
-- ACTION_REQUIRED are the same moment seen from the two sides: the activity's direction decides.
create materialized view analytics.daily_status as
with zone as (
    select
        coalesce(
            (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
        ) as name
),

events as (
    select
        event.activity_id,
        0 as is_current,
        event.date_time as at,
        event.position,
        case
            when event.status = 'SENT' and activity.in_out_bound = 'IN' then 'ACTION_REQUIRED'
            when event.status = 'ACTION_REQUIRED' and activity.in_out_bound = 'OUT' then 'SENT'
            else event.status
        end as status
    from warehouse.timeline_events as event
    inner join warehouse.activities as activity on activity.id = event.activity_id
    where event.date_time is not null
    union all
    select
        activity.id,
        1,
        coalesce(
            case when activity.details_fetched_at is not null then activity.updated_at end,
            activity.created_at,
            activity.first_seen_at
        ),
        0,
        activity.status
    from warehouse.activities as activity
),

moves as (
    select
        greatest(at, max(at) over earlier) as at,
        status,
        lag(status) over life as status_before,
        row_number() over life = 1 as first
    from events
    window
        life as (partition by activity_id order by is_current, at, position),
        earlier as (
            partition by activity_id
            order by is_current, at, position
            rows between unbounded preceding and 1 preceding
        )
),

steps as (
    select (moves.at at time zone zone.name)::date as day, step.status, sum(step.change) as change
    from moves
    cross join zone
    cross join lateral (
        values (moves.status, 1), (moves.status_before, case when moves.first then 0 else -1 end)
    ) as step (status, change)
    where moves.first or moves.status is distinct from moves.status_before
    group by 1, 2
),

days as (
    select series.day::date as day
    from zone
    cross join lateral generate_series(
        (select min(steps.day) from steps)::timestamp,
        (now() at time zone zone.name)::date::timestamp,
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
    label.label as status_label,
    sum(coalesce(steps.change, 0)) over (
        partition by grid.status order by grid.day
    )::bigint as activities
from grid
left join steps on steps.day = grid.day and steps.status is not distinct from grid.status
left join analytics.codes as label on label.kind = 'status' and label.code = grid.status;

create unique index daily_status_key on analytics.daily_status (day, status) nulls not distinct;

comment on materialized view analytics.daily_status is
    'The stock: how many activities were in each status at the end of each day, from the timelines. Today''s row is as of the last refresh.';
comment on column analytics.daily_status.day is 'The day, in the configured time zone; its last instant counts.';
comment on column analytics.daily_status.status is 'Activity status; every status ever seen has a row a day.';
comment on column analytics.daily_status.status_label is 'What the status means.';
comment on column analytics.daily_status.activities is 'Activities in that status at the day''s end.';
