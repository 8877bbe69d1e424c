-- depends: consents
-- The only view of shared values. It shows a value while its consent can be read (analytics.consents).
-- ACTIVITIES_EXPIRED_VALUES=keep also shows what expired, ended or was replaced; never what is gone,
-- erased, or of a counterpart that deleted its profile, because nobody can tell then whether the consent
-- still holds. security_barrier: a function in the reader's query never sees a hidden row.
create view analytics.shared_values with (security_barrier) as
select
    consent.activity_id,
    consent.entity_id,
    consent.accepted_position as requirement_position,
    consent.accepted_item as item_position,
    consent.code as requirement_code,
    consent.item_code,
    consent.type,
    case
        when consent.is_item then (
            select item.value
            from warehouse.accepted_items as item
            where item.activity_id = consent.activity_id
                and item.requirement_position = consent.accepted_position
                and item.position = consent.accepted_item
        )
        else (
            select requirement.value
            from warehouse.requirements as requirement
            where requirement.activity_id = consent.activity_id
                and requirement.disposition = 'accepted'
                and requirement.position = consent.accepted_position
        )
    end as value,
    consent.expires_at
from analytics.consents as consent
where consent.has_value
    and (
        consent.readable_now
        or (
            consent.why_not in ('ended', 'expired', 'replaced')
            and (select privacy.expired_values = 'keep' from sync.privacy as privacy)
        )
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
