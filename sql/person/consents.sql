-- Consents: what was asked and given, from when until when, and what for
select
    consent.activity_id::text as activity_id,
    consent.direction,
    coalesce(requirement.label, consent.code) as requirement,
    coalesce(item.label, consent.item_code) as item,
    consent.asked_at,
    consent.decision,
    consent.decided_at,
    consent.valid_from,
    consent.valid_to,
    consent.readable_now,
    consent.why_not,
    coalesce(activity.description, request.description) as purpose
from analytics.consents as consent
inner join warehouse.activities as activity on activity.id = consent.activity_id
left join warehouse.authorization_requests as request on request.activity_id = consent.activity_id
left join analytics.codes as requirement
    on requirement.kind = 'requirement' and requirement.code = consent.code
left join analytics.codes as item
    on item.kind = 'item' and item.parent_code = consent.code and item.code = consent.item_code
where consent.entity_id = %(entity)s::uuid
order by
    coalesce(consent.asked_at, consent.valid_from), consent.activity_id, consent.requirement_position,
    consent.item_position
