-- depends: consents
-- Consents that can be read now and end by the clock: codes and times, never values.
create view analytics.expiring_shares as
select
    consent.activity_id,
    consent.accepted_position as position,
    consent.code,
    requirement.label as code_label,
    consent.type,
    consent.category,
    (
        select array_agg(item.item_code order by item.accepted_item)
        from analytics.consents as item
        where item.activity_id = consent.activity_id
            and item.accepted_position = consent.accepted_position
            and item.is_item
            and item.readable_now
    ) as items,
    consent.activity_type,
    consent.in_out_bound,
    consent.status,
    consent.entity_id,
    consent.expires_at,
    consent.expires_at - now() as time_left,
    extract(epoch from consent.expires_at - now())::double precision / 3600 as hours_left
from analytics.consents as consent
left join analytics.codes as requirement
    on requirement.kind = 'requirement' and requirement.code = consent.code
where consent.expires_at > now() and not consent.is_item and consent.readable_now;

comment on view analytics.expiring_shares is
    'One row per accepted requirement that can be read now (analytics.consents) until its sharing period ends, with the time left. Filter by expires_at, activity_id or entity_id.';
comment on column analytics.expiring_shares.activity_id is 'The activity.';
comment on column analytics.expiring_shares.position is 'Position in accepted_requirements, from 0, as in warehouse.requirements.';
comment on column analytics.expiring_shares.code is 'Requirement code, for example RQ_001.';
comment on column analytics.expiring_shares.code_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.expiring_shares.type is 'Requirement type, for example RTP_001.';
comment on column analytics.expiring_shares.category is 'Requirement category, for example RQC_001.';
comment on column analytics.expiring_shares.items is 'Codes of its accepted items that can be read. Null: none.';
comment on column analytics.expiring_shares.activity_type is 'Code of the activity type.';
comment on column analytics.expiring_shares.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.expiring_shares.status is 'Activity status as last fetched.';
comment on column analytics.expiring_shares.entity_id is 'The counterpart.';
comment on column analytics.expiring_shares.expires_at is 'When the shared data stop being available.';
comment on column analytics.expiring_shares.time_left is 'Time until then.';
comment on column analytics.expiring_shares.hours_left is 'Time until then, in hours.';
