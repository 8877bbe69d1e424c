-- depends: consents
-- Consents that can be read now and end by the clock: codes and times, never values.
create view analytics.expiring_shares as
select
    consent.activity_id,
    consent.accepted_position as position,
    consent.code,
    requirement.label as code_label,
    consent.requirement_type as type,
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
comment on view analytics.expiring_shares is 'Deprecated: use readable_until of analytics.requirements.';
