-- The one way for analysts to what members shared, while they share it: until the activity's
-- expires_at, or until its status (such as EXPIRED) ends the sharing. Not where the counterpart has
-- deleted its profile, nor where the service offers the activity no more: nobody can tell then
-- whether the consent still holds. ACTIVITIES_EXPIRED_VALUES=keep shows what expired, never the other
-- two. A barrier: no function of the reader's sees a row that is not shown. The union stands inside,
-- because a barrier around a union does not hold: PostgreSQL pushes conditions into its arms.
create view analytics.shared_values with (security_barrier) as
select
    activity.id as activity_id,
    activity.entity_id,
    shared.requirement_position,
    shared.item_position,
    shared.requirement_code,
    shared.item_code,
    shared.type,
    shared.value,
    activity.expires_at
from warehouse.activities as activity
left join warehouse.entities as entity on entity.id = activity.entity_id
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
cross join lateral (
    select
        requirement.position as requirement_position,
        null::integer as item_position,
        requirement.code as requirement_code,
        null::text as item_code,
        requirement.type,
        requirement.value
    from warehouse.requirements as requirement
    where requirement.activity_id = activity.id and requirement.value is not null
    union all
    select
        item.requirement_position,
        item.position,
        item.requirement_code,
        item.code,
        item.type,
        item.value
    from warehouse.accepted_items as item
    where item.activity_id = activity.id and item.value is not null
) as shared
where activity.gone_at is null
    and entity.unregistered is not true
    and (
        (status.shares is not false and (activity.expires_at is null or activity.expires_at > now()))
        or (select privacy.expired_values = 'keep' from sync.privacy as privacy)
    );

comment on view analytics.shared_values is
    'What members shared, while they share it: for the role analyst_personal. Personal.';
comment on column analytics.shared_values.activity_id is 'The activity (warehouse.activities.id).';
comment on column analytics.shared_values.entity_id is 'Who shared it (warehouse.entities.id); null when the service names nobody.';
comment on column analytics.shared_values.requirement_position is 'Position of the accepted requirement, from 0.';
comment on column analytics.shared_values.item_position is 'Position of the item in that requirement, from 0; null: the value is the requirement''s own.';
comment on column analytics.shared_values.requirement_code is 'Requirement code, such as RQ_004. Labels: analytics.codes.';
comment on column analytics.shared_values.item_code is 'Item code, such as PIF_002; null: the value is the requirement''s own. Labels: analytics.codes.';
comment on column analytics.shared_values.type is 'Type of the requirement or the item, such as RTP_002. Labels: analytics.codes.';
comment on column analytics.shared_values.value is 'The value, as JSON (data.value). Personal.';
comment on column analytics.shared_values.expires_at is 'Until when it is shared; null: the service names no end.';
