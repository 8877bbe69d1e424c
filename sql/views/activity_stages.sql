-- How far each activity came, and how long what was shared in it stays shared: the one definition of both,
-- for all other views. By the clock of the reader, never stored.
create view analytics.activity_stages as
select
    activity.id as activity_id,
    ledger.day,
    activity.type,
    activity.in_out_bound,
    case
        when type.giver = 'both' then 'both ways'
        when (type.giver, activity.in_out_bound) in (('receiver', 'OUT'), ('sender', 'IN')) then 'to us'
        when (type.giver, activity.in_out_bound) in (('receiver', 'IN'), ('sender', 'OUT')) then 'from us'
    end as direction,
    activity.entity_id,
    activity.status,
    case
        -- Nobody can answer what the service no longer offers.
        when status.stage = 'pending' and activity.gone_at is not null then null
        when status.stage is distinct from 'canceled' then status.stage
        -- What was answered and canceled later counts as answered. `offset 0` and `min` keep PostgreSQL from
        -- reading all requirements and all timelines once where few activities are asked for.
        when exists (
            select from warehouse.requirements as given
            where given.activity_id = activity.id and given.disposition = 'accepted'
            offset 0
        ) then 'accepted'
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
    activity.created_at,
    activity.attended_at,
    activity.completed_at,
    -- A share has no approval step: it is shared as soon as it is created.
    coalesce(activity.attended_at, activity.created_at, activity.first_seen_at) as shared_from,
    activity.expires_at,
    case
        when status.shares is false then coalesce(
            (
                select max(event.date_time)
                from warehouse.timeline_events as event
                where event.activity_id = activity.id and event.status = activity.status
            ),
            activity.updated_at,
            activity.details_fetched_at,
            activity.first_seen_at
        )
    end as ended_at,
    coalesce(status.shares is false or activity.expires_at <= now(), false) as sharing_over,
    activity.gone_at,
    activity.values_erased_at
from warehouse.activities as activity
left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type;

comment on view analytics.activity_stages is
    'One row per activity: how far it came, and how long what was shared in it stays shared. All other views take both from here. Filter by activity_id, entity_id or day.';
comment on column analytics.activity_stages.activity_id is 'The activity.';
comment on column analytics.activity_stages.day is 'Day of creation in the configured time zone.';
comment on column analytics.activity_stages.type is 'Code of the activity type.';
comment on column analytics.activity_stages.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.activity_stages.direction is 'Who gives: to us (the counterpart gives), from us (we give), both ways. Null: the type has no giver in analytics.codes, or the direction is unknown.';
comment on column analytics.activity_stages.entity_id is 'The counterpart. Null when the service sends none.';
comment on column analytics.activity_stages.status is 'Activity status as last fetched.';
comment on column analytics.activity_stages.stage is 'pending: not answered yet. accepted or declined: also when completed, expired or canceled since. canceled: never answered. Null: the status has no label, or the service stopped offering the activity before we saw an answer.';
comment on column analytics.activity_stages.created_at is 'When it was created.';
comment on column analytics.activity_stages.attended_at is 'When the receiver accepted or declined.';
comment on column analytics.activity_stages.completed_at is 'When it became COMPLETED.';
comment on column analytics.activity_stages.shared_from is 'Since when what was accepted is shared: attended_at. A share without an answer: created_at.';
comment on column analytics.activity_stages.expires_at is 'When the sharing period ends. Null: the service sends no end.';
comment on column analytics.activity_stages.ended_at is 'When the activity entered a status that ends the sharing, for example EXPIRED: by its timeline, else updated_at. Null: its status does not end the sharing.';
comment on column analytics.activity_stages.sharing_over is 'True when the sharing period is over now: expires_at has passed, or the status has ended it.';
comment on column analytics.activity_stages.gone_at is 'Ours: when we found that the service no longer offers it. Null: still offered.';
comment on column analytics.activity_stages.values_erased_at is 'Ours: when its shared values were erased. Null: not erased.';
