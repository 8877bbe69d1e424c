-- The only view of shared values. It reads the tables, not the facts: what ended a moment ago is hidden. A value
-- is shown while its status shares, its period runs, and it is neither gone nor erased nor of a counterpart that
-- deleted its profile. ACTIVITIES_EXPIRED_VALUES=keep also shows what its status or the period ended.
-- security_barrier: a function in the reader's query never sees a hidden row.
create view analytics.shared_values with (security_barrier) as
select
    activity.id as activity_id,
    activity.entity_id,
    given.requirement_position,
    given.item_position,
    given.requirement_code,
    given.item_code,
    given.type as requirement_type,
    given.value,
    sync.at_most_9999(activity.expires_at) as expires_at
from warehouse.activities as activity
left join warehouse.entities as entity on entity.id = activity.entity_id
left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
inner join (
    -- Conditions stand outside: with its own, PostgreSQL would read each table whole.
    select
        activity_id, disposition, position as requirement_position, null::integer as item_position,
        code as requirement_code, null as item_code, type, value
    from warehouse.requirements
    union all
    select activity_id, 'accepted', requirement_position, position, requirement_code, code, type, value
    from warehouse.accepted_items
) as given on given.activity_id = activity.id
where given.disposition = 'accepted'
    and given.value is not null
    and entity.unregistered is not true
    and activity.gone_at is null
    and activity.values_erased_at is null
    and (
        (status.shares is not false and (activity.expires_at > now() or activity.expires_at is null))
        or (select privacy.expired_values = 'keep' from sync.privacy as privacy)
    );

comment on view analytics.shared_values is
    'Shared values, while they are shared, as of now, for the role analyst_personal. Personal. Filter by activity_id or entity_id.';
comment on column analytics.shared_values.requirement_position is 'Position of the accepted requirement, from 0.';
comment on column analytics.shared_values.item_position is 'Position of the item in that requirement, from 0. Null: the value belongs to the requirement itself.';
comment on column analytics.shared_values.item_code is 'Item code, for example PIF_002. Null: the value belongs to the requirement itself. Labels: analytics.codes.';
comment on column analytics.shared_values.requirement_type is 'Type of the requirement or the item, for example RTP_002. Labels: analytics.codes.';
comment on column analytics.shared_values.value is 'The value, as JSON (data.value). Personal.';
