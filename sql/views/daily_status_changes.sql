-- refreshed by: created_day
-- The changes that analytics.daily_status adds up. Counted over all timelines, so they are stored. The
-- present status of the activity always comes last: where the timeline does not end in it, it counts
-- from updated_at. What the service no longer offers is in no status from gone_at on. SENT and ACTION_REQUIRED are the same moment seen by sender and receiver: the
-- activity's direction decides which one counts.
create table analytics.daily_status_changes (
    created_day date,
    day date,
    status text,
    change bigint,
    constraint daily_status_changes_key unique nulls not distinct (created_day, day, status)
);

create function sync.fresh_daily_status_changes(days date[])
returns setof analytics.daily_status_changes
language sql
stable
as $$
    with zone as (
        select
            coalesce(
                (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
            ) as name
    ),

    activity as (
        select
            stored.id,
            ledger.day,
            stored.in_out_bound,
            stored.gone_at,
            case
                when stored.status = 'SENT' and stored.in_out_bound = 'IN' then 'ACTION_REQUIRED'
                when stored.status = 'ACTION_REQUIRED' and stored.in_out_bound = 'OUT' then 'SENT'
                else stored.status
            end as status,
            coalesce(
                case when stored.details_fetched_at is not null then stored.updated_at end,
                stored.created_at,
                stored.first_seen_at
            ) as settled_at
        from warehouse.activities as stored
        left join sync.activity_ledger as ledger on ledger.activity_id = stored.id
        where days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
    ),

    events as (
        select
            event.activity_id,
            activity.day as created_day,
            0 as place,
            event.date_time as at,
            event.position,
            case
                when event.status = 'SENT' and activity.in_out_bound = 'IN' then 'ACTION_REQUIRED'
                when event.status = 'ACTION_REQUIRED' and activity.in_out_bound = 'OUT' then 'SENT'
                else event.status
            end as status
        from warehouse.timeline_events as event
        inner join activity on activity.id = event.activity_id
        where event.date_time is not null
        union all
        select
            activity.id,
            activity.day,
            1,
            activity.settled_at,
            0,
            activity.status
        from activity
        union all
        select
            activity.id,
            activity.day,
            2,
            activity.gone_at,
            0,
            null
        from activity
        where activity.gone_at is not null
    ),

    moves as (
        select
            created_day,
            greatest(at, max(at) over earlier) as at,
            place = 2 as leaves,
            status,
            lag(status) over life as status_before,
            row_number() over life = 1 as first
        from events
        window
            life as (partition by activity_id order by place, at, position),
            earlier as (
                partition by activity_id
                order by place, at, position
                rows between unbounded preceding and 1 preceding
            )
    )

    select
        moves.created_day,
        (moves.at at time zone zone.name)::date as day,
        step.status,
        sum(step.change)
    from moves
    cross join zone
    cross join lateral (
        values
            (moves.status, case when moves.leaves then 0 else 1 end),
            (moves.status_before, case when moves.first then 0 else -1 end)
    ) as step (status, change)
    where moves.first or moves.leaves or moves.status is distinct from moves.status_before
    group by moves.created_day, 2, step.status
    having sum(step.change) <> 0
$$;
comment on function sync.fresh_daily_status_changes is
    'Rows of analytics.daily_status_changes for activities created on these days, counted now. Null: for all.';

comment on table analytics.daily_status_changes is
    'Change of the number of activities in a status during a day, per day of creation. analytics.daily_status adds these changes up.';
comment on column analytics.daily_status_changes.created_day is 'Day of the activities'' creation in the configured time zone.';
comment on column analytics.daily_status_changes.day is 'The day of the change, in the configured time zone.';
comment on column analytics.daily_status_changes.status is 'Status of the activities.';
comment on column analytics.daily_status_changes.change is 'Activities that entered the status on that day minus those that left it. Never 0.';
