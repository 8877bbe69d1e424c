-- The only view of shared values. It shows a value while it is shared: until the activity's expires_at,
-- or until its status (for example EXPIRED) ends the sharing. It hides the values of a counterpart that
-- deleted its profile and of an activity that the service no longer offers, because nobody can tell
-- then whether the consent still holds. ACTIVITIES_EXPIRED_VALUES=keep shows expired values, never the
-- other two. security_barrier: a function in the reader's query never sees a hidden row. The union is
-- inside, because PostgreSQL moves conditions into the parts of a union in spite of a barrier around it.
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
    'Shared values, while they are shared, for the role analyst_personal. Personal. Filter by activity_id or entity_id.';
comment on column analytics.shared_values.activity_id is 'The activity (warehouse.activities.id).';
comment on column analytics.shared_values.entity_id is 'The counterpart that shared it (warehouse.entities.id). Null when the service sends none.';
comment on column analytics.shared_values.requirement_position is 'Position of the accepted requirement, from 0.';
comment on column analytics.shared_values.item_position is 'Position of the item in that requirement, from 0. Null: the value belongs to the requirement itself.';
comment on column analytics.shared_values.requirement_code is 'Requirement code, for example RQ_004. Labels: analytics.codes.';
comment on column analytics.shared_values.item_code is 'Item code, for example PIF_002. Null: the value belongs to the requirement itself. Labels: analytics.codes.';
comment on column analytics.shared_values.type is 'Type of the requirement or the item, for example RTP_002. Labels: analytics.codes.';
comment on column analytics.shared_values.value is 'The value, as JSON (data.value). Personal.';
comment on column analytics.shared_values.expires_at is 'Until when it is shared. Null: the service sends no end.';
