-- stored by: activity_id
-- The fact of activities: one row each, with days and hours cut in the configured zone. What the clock alone
-- changes (sharing_ended) is as of freshness.refreshed_at: sql/refresh/take.sql.
create table analytics.activities (
    activity_id uuid primary key,
    created_day date,
    created_week date,
    created_month date,
    created_hour_local integer,
    activity_type text,
    activity_type_label text,
    activity_type_name text,
    in_out_bound text,
    direction text,
    entity_id uuid,
    status text,
    status_label text,
    is_final boolean,
    outcome text,
    answered_by text,
    waiting_for text,
    answered_at timestamptz,
    answered_day date,
    answered_week date,
    answered_month date,
    answered_hour_local integer,
    hours_to_answer double precision,
    is_completed boolean,
    completed_at timestamptz,
    completed_day date,
    hours_to_completion double precision,
    is_shared boolean,
    shared_from timestamptz,
    sharing_ends_at timestamptz,
    sharing_ended boolean,
    sharing_ended_by text,
    created_at timestamptz,
    updated_at timestamptz,
    valid_until timestamptz,
    expires_at timestamptz,
    expires_in_time_unit text,
    expires_in_amount numeric,
    time_zone text,
    first_seen_at timestamptz,
    details_fetched_at timestamptz,
    gone_at timestamptz,
    erased_at timestamptz,
    emptied_at timestamptz,
    sharing_ends_day date,
    created_weekday integer,
    answered_weekday integer,
    is_request boolean
);

create function sync.fresh_activities(ids uuid[]) returns setof analytics.activities
language sql
stable
as $$
    with known as (
        select
            activity.*,
            sync.local_time(activity.created_at, calendar.time_zone) as created_local,
            sync.local_time(activity.attended_at, calendar.time_zone) as answered_local,
            sync.local_time(activity.completed_at, calendar.time_zone)::date as completed_day,
            calendar.time_zone as zone,
            type.giver,
            type.label as type_label,
            status.label as status_label,
            coalesce(status.final, false) as final,
            case
                when type.giver = 'both' then 'both ways'
                when (type.giver, activity.in_out_bound) in (('receiver', 'OUT'), ('sender', 'IN')) then 'to us'
                when (type.giver, activity.in_out_bound) in (('receiver', 'IN'), ('sender', 'OUT')) then 'from us'
            end as direction,
            case
                -- Nobody can answer what the service no longer offers.
                when status.stage = 'pending' and activity.gone_at is not null then null
                when status.stage is distinct from 'canceled' then status.stage
                -- What was answered and canceled later counts as answered.
                when given.there then 'accepted'
                else coalesce(
                    (
                        select min(past.stage) -- 'accepted' comes before 'declined'
                        from warehouse.timeline_events as event
                        inner join analytics.codes as past
                            on past.kind = 'status' and past.code = event.status
                        where event.activity_id = activity.id and past.stage in ('accepted', 'declined')
                    ),
                    case when activity.attended_at is not null then 'declined' end,
                    status.stage
                )
            end as stage,
            given.there as has_given,
            -- A share has no approval step: it is shared as soon as it is created.
            case
                when activity.details_fetched_at is not null
                    then coalesce(activity.attended_at, activity.created_at, activity.first_seen_at)
            end as shared_from,
            case
                when status.shares is false then coalesce(
                    (
                        select max(event.date_time)
                        from warehouse.timeline_events as event
                        where event.activity_id = activity.id and event.status = activity.status
                    ),
                    -- Details that were refused from then on say nothing of the end.
                    case when status.stage = 'accepted' then activity.expires_at end,
                    activity.updated_at,
                    activity.details_fetched_at,
                    activity.first_seen_at
                )
            end as ended_at,
            case when status.stage = 'accepted' then 'expired' else 'ended' end as ended_by_status,
            case when entity.unregistered then coalesce(entity.unregistered_at, entity.observed_at) end as unregistered_at
        from warehouse.activities as activity
        cross join sync.calendar
        left join warehouse.entities as entity on entity.id = activity.entity_id
        left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
        left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type
        cross join lateral (
            select exists (
                select from warehouse.requirements as accepted
                where accepted.activity_id = activity.id and accepted.disposition = 'accepted'
            )
            or exists (
                select from warehouse.kept_decisions as kept
                where kept.activity_id = activity.id and kept.decision = 'accepted'
            ) as there
            offset 0
        ) as given
        where ids is null or activity.id = any(ids)
        -- Each outcome is computed once, not for every column.
        offset 0
    ),

    bounded as (
        select
            known.*,
            -- Nobody accepts a share: it needs no answer. Only a request or a swap does.
            case
                when stage = 'accepted' and attended_at is null and coalesce(giver, 'sender') = 'sender' then 'share'
                else stage
            end as outcome,
            coalesce(known.stage = 'accepted' or known.has_given, false) as shared,
            -- A list says that it has ended, not when.
            case
                when details_fetched_at is not null or ended_at is null then greatest(shared_from, least(
                    expires_at, ended_at, gone_at, unregistered_at, values_erased_at, '9999-12-31 00:00+00'
                ))
            end as sharing_ends_at,
            case least(
                case when expires_at <= now() then expires_at end, ended_at, gone_at, unregistered_at, values_erased_at
            )
                when expires_at then 'expired'
                when ended_at then ended_by_status
                when gone_at then 'gone'
                when unregistered_at then 'unregistered'
                when values_erased_at then 'erased'
            end as ended_by
        from known
    )

    select
        id,
        created_local::date,
        date_trunc('week', created_local)::date,
        date_trunc('month', created_local)::date,
        extract(hour from created_local)::integer,
        type,
        type_label,
        type_name,
        in_out_bound,
        direction,
        entity_id,
        status,
        status_label,
        final,
        outcome,
        case
            when attended_at is null and coalesce(outcome not in ('accepted', 'declined'), true) then null
            when in_out_bound = 'IN' then 'us'
            when in_out_bound = 'OUT' then 'them'
        end,
        case
            when outcome is distinct from 'pending' then null
            when in_out_bound = 'IN' then 'us'
            when in_out_bound = 'OUT' then 'them'
        end,
        attended_at,
        answered_local::date,
        date_trunc('week', answered_local)::date,
        date_trunc('month', answered_local)::date,
        extract(hour from answered_local)::integer,
        extract(epoch from attended_at - created_at)::double precision / 3600,
        coalesce(stage = 'accepted' and (status = 'COMPLETED' or completed_at is not null), false),
        completed_at,
        completed_day,
        extract(epoch from completed_at - created_at)::double precision / 3600,
        shared,
        case when shared then shared_from end,
        case when shared then sharing_ends_at end,
        case when shared then ended_by is not null end,
        case when shared then ended_by end,
        created_at,
        updated_at,
        sync.at_most_9999(valid_until),
        sync.at_most_9999(expires_at),
        expires_in_time_unit,
        expires_in_amount,
        time_zone,
        first_seen_at,
        details_fetched_at,
        gone_at,
        values_erased_at,
        personal_erased_at,
        case when shared then sync.local_time(sharing_ends_at, zone)::date end,
        extract(isodow from created_local)::integer,
        extract(isodow from answered_local)::integer,
        giver <> 'sender'
    from bounded
$$;

create index activities_created_day on analytics.activities (created_day);
create index activities_answered_day on analytics.activities (answered_day);
create index activities_entity on analytics.activities (entity_id);
-- By which open_activities finds a deadline.
create index activities_open on analytics.activities
((case when outcome = 'pending' then valid_until end)) where not is_final;

comment on table analytics.activities is
    'One row per activity. Fact: sum and count it by any column. For names and scores join analytics.counterparts by entity_id.';
comment on column analytics.activities.activity_id is 'The activity (analytics.activities), by its id in warehouse.activities.';
comment on column analytics.activities.created_day is 'Day of creation of the activity in the configured time zone. Null: created_at is not known.';
comment on column analytics.activities.created_week is 'Monday of the week of creation.';
comment on column analytics.activities.created_month is 'First day of the month of creation.';
comment on column analytics.activities.created_hour_local is 'Hour of creation in the configured time zone, 0 to 23.';
comment on column analytics.activities.activity_type is 'Code of the activity type, for example AT_001. Open list.';
comment on column analytics.activities.activity_type_label is 'Label of the type. Null: the code has no label.';
comment on column analytics.activities.activity_type_name is 'Name of the activity type in the service''s words.';
comment on column analytics.activities.in_out_bound is 'IN: received, we answer. OUT: sent, they answer. Open list.';
comment on column analytics.activities.direction is 'Who gives: to us, from us, both ways. Null: not known for this type.';
comment on column analytics.activities.entity_id is 'The counterpart (analytics.counterparts). Null when the service sends none.';
comment on column analytics.activities.status is 'Activity status as last fetched, also when the service no longer offers it. Open list.';
comment on column analytics.activities.status_label is 'Label of the status. Null: the code has no label.';
comment on column analytics.activities.is_final is 'True when the status ends the process. False for a status without a label.';
comment on column analytics.activities.outcome is 'pending, accepted or declined (by an answer), canceled (never answered), or share (given without an answer, which a share does not need). Expiry or a later cancellation changes none. Null: the status has no label, or it was gone before we saw an answer.';
comment on column analytics.activities.answered_by is 'Who answered: us (received activities) or them (sent ones). Null: nobody.';
comment on column analytics.activities.waiting_for is 'Who must answer a pending activity: us or them. Null: not pending.';
comment on column analytics.activities.answered_at is 'When it was accepted or declined (attended_at). Null: not answered.';
comment on column analytics.activities.answered_day is 'Day of the answer in the configured time zone.';
comment on column analytics.activities.answered_week is 'Monday of the week of the answer.';
comment on column analytics.activities.answered_month is 'First day of the month of the answer.';
comment on column analytics.activities.answered_hour_local is 'Hour of the answer in the configured time zone, 0 to 23.';
comment on column analytics.activities.hours_to_answer is 'Hours from creation to the answer.';
comment on column analytics.activities.is_completed is 'True when it was accepted or a share, and completed, also when expired since.';
comment on column analytics.activities.completed_at is 'When it became COMPLETED.';
comment on column analytics.activities.completed_day is 'Day of completion in the configured time zone.';
comment on column analytics.activities.hours_to_completion is 'Hours from creation to completion.';
comment on column analytics.activities.is_shared is 'True when something was accepted in it, or given in a share.';
comment on column analytics.activities.shared_from is 'Since when that can be read: the answer; a share without an answer: its creation. Null: nothing was accepted, or the service never showed details.';
comment on column analytics.activities.sharing_ends_at is 'When the sharing ends or ended: the least of expires_at, the end by status, gone_at, the counterpart unregistered, erased. The year 9999: no end is known. Null: nothing was accepted, or it ended and the service never showed when.';
comment on column analytics.activities.sharing_ends_day is 'Day of sharing_ends_at in the configured time zone.';
comment on column analytics.activities.sharing_ended is 'True when the sharing had ended at freshness.refreshed_at, false when it goes on. Null: nothing was shared. Has no influence on outcome.';
comment on column analytics.activities.sharing_ended_by is 'What ended it first: expired (its period), ended (another status before that), gone, unregistered or erased. Null: it goes on, or nothing was shared.';
comment on column analytics.activities.created_at is 'When it was created.';
comment on column analytics.activities.updated_at is 'When the service last updated it.';
comment on column analytics.activities.valid_until is 'When it becomes CANCELED if nobody answers. Answered ones keep it: analytics.open_activities has the time left.';
comment on column analytics.activities.expires_at is 'End of the sharing period, if nothing ends it before: sharing_ends_at.';
comment on column analytics.activities.expires_in_time_unit is 'Unit of the sharing period. Open list.';
comment on column analytics.activities.expires_in_amount is 'Length of the sharing period in that unit.';
comment on column analytics.activities.time_zone is 'Time zone of the activity, as received. Days here are cut in the configured one.';
comment on column analytics.activities.first_seen_at is 'Ours: when a response first contained it.';
comment on column analytics.activities.details_fetched_at is 'Ours: when the stored details were first received in this form. Null: no details stored yet.';
comment on column analytics.activities.gone_at is 'Ours: when we found that the service no longer offers it. Null: still offered.';
comment on column analytics.activities.erased_at is 'Ours: when shared values of it, or more, were first erased. Null: not erased. Counterparts: analytics.counterparts.erased_at.';
comment on column analytics.activities.emptied_at is 'Ours: when all that is personal was erased, because the activity ended long ago. Null: not.';
comment on column analytics.activities.created_weekday is 'Weekday of creation in the configured time zone, 1 (Monday) to 7.';
comment on column analytics.activities.answered_weekday is 'Weekday of the answer in the configured time zone, 1 (Monday) to 7. Null: not answered.';
comment on column analytics.activities.is_request is 'True when it asks for something: a request or a swap. False: a share, which gives and asks for nothing. Null: not known for this type. in_out_bound says who sent it.';
