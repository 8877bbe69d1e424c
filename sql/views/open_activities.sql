-- depends: activity_stages
-- Activities that are not final. The ledger has an index for them. SENT and ACTION_REQUIRED are the same
-- moment seen by sender and receiver, so the direction says who must answer.
create view analytics.open_activities as
select
    activity.id,
    ledger.day,
    activity.type,
    type.label as type_label,
    activity.in_out_bound,
    activity.status,
    status.label as status_label,
    case
        when stage.stage = 'accepted' then 'completion'
        when stage.stage is distinct from 'pending' then null
        when activity.in_out_bound = 'IN' then 'us'
        when activity.in_out_bound = 'OUT' then 'the counterpart'
    end as waiting_for,
    activity.entity_id,
    activity.created_at,
    now() - activity.created_at as age,
    activity.valid_until,
    case when stage.stage = 'pending' then activity.valid_until - now() end as time_left,
    coalesce(stage.stage = 'pending' and activity.valid_until <= now(), false) as overdue,
    activity.details_fetched_at,
    case
        when stage.stage = 'pending'
            then extract(epoch from activity.valid_until - now())::double precision / 3600
    end as hours_left
from sync.activity_ledger as ledger
inner join warehouse.activities as activity on activity.id = ledger.activity_id
inner join analytics.activity_stages as stage on stage.activity_id = ledger.activity_id
left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
where not ledger.final
    and ledger.gone_at is null
    and activity.gone_at is null
    -- The list can say that it is final while the details are in quarantine.
    and status.final is not true;

comment on view analytics.open_activities is
    'Activities whose status does not end the process, with the time left for an answer. Filter by day, valid_until, id or entity_id.';
comment on column analytics.open_activities.id is 'Activity ID.';
comment on column analytics.open_activities.day is 'Day of creation in the configured time zone.';
comment on column analytics.open_activities.type is 'Code of the activity type.';
comment on column analytics.open_activities.type_label is 'Label of the type.';
comment on column analytics.open_activities.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.open_activities.status is 'Activity status as last fetched.';
comment on column analytics.open_activities.status_label is 'Label of the status.';
comment on column analytics.open_activities.waiting_for is 'What must come next. us: our answer (IN). the counterpart: its answer (OUT). completion. Null: the status or the direction has no label.';
comment on column analytics.open_activities.entity_id is 'The counterpart.';
comment on column analytics.open_activities.created_at is 'When it was created.';
comment on column analytics.open_activities.age is 'Time since its creation.';
comment on column analytics.open_activities.valid_until is 'When it becomes CANCELED if nobody answers.';
comment on column analytics.open_activities.time_left is 'Time left for an answer, negative after the deadline. Null: already answered.';
comment on column analytics.open_activities.overdue is 'True when valid_until has passed without an answer. The next run fetches its details.';
comment on column analytics.open_activities.details_fetched_at is 'Ours: when the stored details were first received in this form. Null: no details stored yet.';
comment on column analytics.open_activities.hours_left is 'Time left for an answer in hours, negative after the deadline. Null: already answered.';
