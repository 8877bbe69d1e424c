-- depends: activity_stages
-- Every activity with its day, its counterpart, and labels beside its codes.
create view analytics.activities as
select
    activity.id,
    ledger.day,
    activity.type,
    type.label as type_label,
    activity.type_name,
    activity.in_out_bound,
    direction.label as in_out_bound_label,
    activity.status,
    status.label as status_label,
    stage.stage,
    coalesce(status.final, false) as final,
    activity.entity_id,
    case
        when entity.unregistered is not true and (select analytics.may_see_personal())
            then entity.name
    end as entity_name,
    entity.type as entity_type,
    entity_type.label as entity_type_label,
    entity.score as entity_score,
    entity.scoring_level as entity_scoring_level,
    entity.unregistered as entity_unregistered,
    activity.time_zone,
    activity.created_at,
    activity.updated_at,
    activity.valid_until,
    activity.attended_at,
    activity.completed_at,
    activity.expires_at,
    activity.expires_in_time_unit,
    activity.expires_in_amount,
    activity.attended_at - activity.created_at as created_to_attended,
    activity.completed_at - activity.attended_at as attended_to_completed,
    activity.first_seen_at,
    activity.details_fetched_at,
    activity.gone_at,
    activity.values_erased_at,
    (extract(epoch from activity.attended_at - activity.created_at) / 3600)::double precision
        as created_to_attended_hours,
    (extract(epoch from activity.completed_at - activity.attended_at) / 3600)::double precision
        as attended_to_completed_hours,
    activity.personal_erased_at
from warehouse.activities as activity
inner join analytics.activity_stages as stage on stage.activity_id = activity.id
left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
left join warehouse.entities as entity on entity.id = activity.entity_id
left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type
left join analytics.codes as direction
    on direction.kind = 'in_out_bound' and direction.code = activity.in_out_bound
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
left join analytics.codes as entity_type
    on entity_type.kind = 'entity_type' and entity_type.code = entity.type;

comment on view analytics.activities is
    'One row per activity, with its counterpart and labels, without messages, which are personal. Filter by day, id, entity_id or status. For counts over all days use the stored views: they are faster.';
comment on column analytics.activities.id is 'Activity ID.';
comment on column analytics.activities.day is 'Day of creation in the configured time zone, as in sync.coverage.';
comment on column analytics.activities.type is 'Code of the activity type, for example AT_001. Open list.';
comment on column analytics.activities.type_label is 'Label of the type. Null: the code has no label.';
comment on column analytics.activities.type_name is 'Name of the activity type in the service''s words.';
comment on column analytics.activities.in_out_bound is 'IN: received from another member. OUT: sent. Open list.';
comment on column analytics.activities.in_out_bound_label is 'Label of the direction.';
comment on column analytics.activities.status is 'Activity status as last fetched. Open list.';
comment on column analytics.activities.status_label is 'Label of the status. Null: the code has no label.';
comment on column analytics.activities.stage is 'How far it came: pending, accepted or declined (also when completed, expired or canceled since), canceled (never answered). Null: the status has no label, or it was gone before we saw an answer.';
comment on column analytics.activities.final is 'True when the status ends the process. False for a status without a label.';
comment on column analytics.activities.entity_id is 'The counterpart (analytics.entities). Null when the service sends none.';
comment on column analytics.activities.entity_name is 'Display name of the counterpart. Personal: null for roles without access to it, and for unregistered counterparts.';
comment on column analytics.activities.entity_type is 'Kind of counterpart, for example INDIVIDUAL or BUSINESS. Open list.';
comment on column analytics.activities.entity_type_label is 'Label of the kind.';
comment on column analytics.activities.entity_score is 'The counterpart''s latest score, usually 300 to 850.';
comment on column analytics.activities.entity_scoring_level is 'The counterpart''s latest scoring level. Open list.';
comment on column analytics.activities.entity_unregistered is 'True when the counterpart is not registered, or no longer registered.';
comment on column analytics.activities.time_zone is 'Time zone of the activity, as received.';
comment on column analytics.activities.created_at is 'When it was created.';
comment on column analytics.activities.updated_at is 'When the service last updated it.';
comment on column analytics.activities.valid_until is 'When it becomes CANCELED if nobody answers.';
comment on column analytics.activities.attended_at is 'When the counterpart accepted or declined.';
comment on column analytics.activities.completed_at is 'When it became COMPLETED.';
comment on column analytics.activities.expires_at is 'When the shared data stop being available.';
comment on column analytics.activities.expires_in_time_unit is 'Unit of the sharing period. Open list.';
comment on column analytics.activities.expires_in_amount is 'Length of the sharing period in that unit.';
comment on column analytics.activities.created_to_attended is 'Time from creation to the answer.';
comment on column analytics.activities.attended_to_completed is 'Time from the answer to completion.';
comment on column analytics.activities.first_seen_at is 'Ours: when a response first contained it.';
comment on column analytics.activities.details_fetched_at is 'Ours: when the stored details were first received in this form. Null: no details stored yet.';
comment on column analytics.activities.gone_at is 'Ours: when we found that the service no longer offers it. Null: still offered.';
comment on column analytics.activities.values_erased_at is 'Ours: when the shared values of this activity were erased. Null: not erased.';
comment on column analytics.activities.created_to_attended_hours is 'Hours from creation to the answer.';
comment on column analytics.activities.attended_to_completed_hours is 'Hours from the answer to completion.';
comment on column analytics.activities.personal_erased_at is 'Ours: when all that is personal was erased, because the activity ended long ago. Null: not erased.';
