-- Shared data that can still be read, and for how long: codes and times, never values.
create view analytics.expiring_shares as
select
    activity.id as activity_id,
    accepted.position,
    accepted.code,
    requirement.label as code_label,
    accepted.type,
    accepted.category,
    (
        select array_agg(item.code order by item.position)
        from warehouse.accepted_items as item
        where item.activity_id = activity.id and item.requirement_position = accepted.position
    ) as items,
    activity.type as activity_type,
    activity.in_out_bound,
    activity.status,
    activity.entity_id,
    activity.expires_at,
    activity.expires_at - now() as time_left
from warehouse.activities as activity
inner join warehouse.requirements as accepted
    on accepted.activity_id = activity.id and accepted.disposition = 'accepted'
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
left join analytics.codes as requirement
    on requirement.kind = 'requirement' and requirement.code = accepted.code
where activity.expires_at > now()
    and status.shares is not false
    and activity.gone_at is null;

comment on view analytics.expiring_shares is
    'One row per accepted requirement whose sharing period has not ended, with the time left. Filter by expires_at, activity_id or entity_id.';
comment on column analytics.expiring_shares.activity_id is 'The activity.';
comment on column analytics.expiring_shares.position is 'Position in accepted_requirements, from 0, as in warehouse.requirements.';
comment on column analytics.expiring_shares.code is 'Requirement code, for example RQ_001.';
comment on column analytics.expiring_shares.code_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.expiring_shares.type is 'Requirement type, for example RTP_001.';
comment on column analytics.expiring_shares.category is 'Requirement category, for example RQC_001.';
comment on column analytics.expiring_shares.items is 'Codes of its accepted items. Null: none.';
comment on column analytics.expiring_shares.activity_type is 'Code of the activity type.';
comment on column analytics.expiring_shares.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.expiring_shares.status is 'Activity status as last fetched.';
comment on column analytics.expiring_shares.entity_id is 'The counterpart.';
comment on column analytics.expiring_shares.expires_at is 'When the shared data stop being available.';
comment on column analytics.expiring_shares.time_left is 'Time until then.';
