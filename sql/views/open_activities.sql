-- What is under way, by the ledger's own index of what is not final.
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
        when activity.status = 'ACTION_REQUIRED' then 'us'
        when activity.status = 'SENT' then 'the counterpart'
        when status.stage = 'accepted' then 'completion'
    end as waiting_for,
    activity.entity_id,
    activity.created_at,
    now() - activity.created_at as age,
    activity.valid_until,
    case when status.stage = 'pending' then activity.valid_until - now() end as time_left,
    coalesce(status.stage = 'pending' and activity.valid_until <= now(), false) as overdue,
    activity.details_fetched_at
from sync.activity_ledger as ledger
inner join warehouse.activities as activity on activity.id = ledger.activity_id
left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
where not ledger.final and ledger.gone_at is null;

comment on view analytics.open_activities is
    'Activities whose status does not end the process, with the time left for an answer. Filter by day, valid_until, id or entity_id.';
comment on column analytics.open_activities.id is 'Activity ID.';
comment on column analytics.open_activities.day is 'Day of creation in the configured time zone.';
comment on column analytics.open_activities.type is 'Activity type code.';
comment on column analytics.open_activities.type_label is 'What the type means.';
comment on column analytics.open_activities.in_out_bound is 'IN: received; OUT: sent.';
comment on column analytics.open_activities.status is 'Activity status as last fetched.';
comment on column analytics.open_activities.status_label is 'What the status means.';
comment on column analytics.open_activities.waiting_for is 'What comes next: us (we are to answer), the counterpart (it is to answer), completion; null: a status without label.';
comment on column analytics.open_activities.entity_id is 'The counterpart.';
comment on column analytics.open_activities.created_at is 'When it was created.';
comment on column analytics.open_activities.age is 'Time since its creation.';
comment on column analytics.open_activities.valid_until is 'When it becomes CANCELED if nobody answers.';
comment on column analytics.open_activities.time_left is 'Time left for an answer, negative when it has passed; null: answered already.';
comment on column analytics.open_activities.overdue is 'Whether valid_until has passed without an answer; the next run asks what became of it.';
comment on column analytics.open_activities.details_fetched_at is 'Ours: when the stored details were first received in this form; null: not yet had.';
