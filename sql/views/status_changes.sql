-- stored by: activity_id, change_number
-- The fact of status changes: each status that an activity entered, until it left it. From the timeline, by
-- time, because the service does not document its order; the present status always comes last, from
-- updated_at on where the timeline does not end in it. SENT and ACTION_REQUIRED are the same moment seen by
-- sender and receiver: the activity's direction decides which one counts.
create table analytics.status_changes (
    activity_id uuid,
    change_number integer,
    status text,
    status_label text,
    entered_at timestamptz,
    entered_day date,
    left_at timestamptz,
    left_day date,
    next_status text,
    hours double precision,
    created_day date,
    activity_type text,
    in_out_bound text,
    entity_id uuid,
    changed_from text,
    changed_at timestamptz,
    changed_day date,
    constraint status_changes_key primary key (activity_id, change_number)
);

create function sync.fresh_status_changes(ids uuid[]) returns setof analytics.status_changes
language sql
stable
as $$
    with events as (
        select event.activity_id, 0 as place, event.date_time as at, event.position, event.status
        from warehouse.timeline_events as event
        where event.date_time is not null and (ids is null or event.activity_id = any(ids))
        union all
        select
            activity.id,
            1,
            coalesce(
                -- Details that were refused since the sharing ended say nothing of the end.
                case when label.stage = 'accepted' and not label.shares then activity.expires_at end,
                case when activity.details_fetched_at is not null then activity.updated_at end,
                activity.created_at,
                activity.first_seen_at
            ),
            0,
            activity.status
        from warehouse.activities as activity
        left join analytics.codes as label on label.kind = 'status' and label.code = activity.status
        where ids is null or activity.id = any(ids)
        union all
        -- What the service no longer offers is in no status.
        select activity.id, 2, activity.gone_at, 0, null
        from warehouse.activities as activity
        where activity.gone_at is not null and (ids is null or activity.id = any(ids))
    ),

    ours as (
        select
            event.activity_id,
            event.place,
            event.at,
            event.position,
            case
                when event.status = 'SENT' and activity.in_out_bound = 'IN' then 'ACTION_REQUIRED'
                when event.status = 'ACTION_REQUIRED' and activity.in_out_bound = 'OUT' then 'SENT'
                else event.status
            end as status
        from events as event
        inner join warehouse.activities as activity on activity.id = event.activity_id
    ),

    moves as (
        select
            ours.*,
            max(at) over (partition by activity_id order by place, at, position) as entered_at,
            place = 2 or row_number() over life = 1 or status is distinct from lag(status) over life as moved
        from ours
        window life as (partition by activity_id order by place, at, position)
    ),

    numbered as (
        select
            moves.*,
            row_number() over life - 1 as change_number,
            lag(status) over life as changed_from,
            lead(entered_at) over life as left_at,
            lead(status) over life as next_status
        from moves
        where moved
        window life as (partition by activity_id order by place, at, position)
    )

    select
        change.activity_id,
        change.change_number::integer,
        change.status,
        label.label,
        change.entered_at,
        sync.local_time(change.entered_at, calendar.time_zone)::date,
        change.left_at,
        sync.local_time(change.left_at, calendar.time_zone)::date,
        change.next_status,
        case
            when change.next_status is not null
                then extract(epoch from change.left_at - change.entered_at)::double precision / 3600
        end,
        sync.local_time(activity.created_at, calendar.time_zone)::date,
        activity.type,
        activity.in_out_bound,
        activity.entity_id,
        change.changed_from,
        case when change.change_number > 0 then change.entered_at end,
        case when change.change_number > 0 then sync.local_time(change.entered_at, calendar.time_zone)::date end
    from numbered as change
    cross join sync.calendar
    inner join warehouse.activities as activity on activity.id = change.activity_id
    left join analytics.codes as label on label.kind = 'status' and label.code = change.status
    where change.place < 2
$$;

create index status_changes_entered_day on analytics.status_changes (entered_day);
create index status_changes_created_day on analytics.status_changes (created_day);

comment on table analytics.status_changes is
    'One row per activity and status that it entered, the first one included: changes have changed_at. Fact: from when until when it was in which status, by the service''s clock.';
comment on column analytics.status_changes.change_number is 'Number of the change in the activity, from 0.';
comment on column analytics.status_changes.status is 'Status entered. Open list.';
comment on column analytics.status_changes.entered_at is 'When it was entered. Of the first status, which is no change, too. EXPIRED that only a list told: expires_at.';
comment on column analytics.status_changes.changed_from is 'The status before. Null: this is the first one, with which the activity began.';
comment on column analytics.status_changes.changed_at is 'When it changed to this status. Null: this is the first one. To count changes, count these.';
comment on column analytics.status_changes.changed_day is 'That day in the configured time zone.';
comment on column analytics.status_changes.entered_day is 'That day in the configured time zone.';
comment on column analytics.status_changes.left_at is 'When it was left, or when the service was found not to offer the activity any more. Null: still in it.';
comment on column analytics.status_changes.left_day is 'That day in the configured time zone.';
comment on column analytics.status_changes.next_status is 'The next status. Null: still in it, or no longer offered.';
comment on column analytics.status_changes.hours is 'Hours in it until the next status. Null: still in it, or no longer offered.';
