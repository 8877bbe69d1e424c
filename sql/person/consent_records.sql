-- Consent records after ISO/IEC TS 27560, in the words of the Data Privacy Vocabulary
select
    'https://w3id.org/dpv/schema/dpv-27560#record' as "dct:conformsTo",
    'dpv:ConsentRecord' as "@type",
    consent.activity_id::text as "dct:identifier",
    -- What we give is no consent of the person, who only receives it.
    case
        when consent.direction is distinct from 'from us' then consent.entity_id::text
    end as "dpv:hasDataSubject",
    case when consent.direction in ('from us', 'both ways') then consent.entity_id::text end as "dpv:hasRecipient",
    jsonb_agg(
        jsonb_build_object(
            '@type', 'dpv:Process',
            'dpv:hasPurpose', coalesce(activity.description, request.description),
            'dpv:hasPersonalData', concat_ws(
                ', ', coalesce(requirement.label, consent.code), coalesce(item.label, consent.item_code)
            ),
            'dpv:hasConsentStatus', case
                when consent.why_not in ('expired', 'ended') then 'dpv:ConsentExpired'
                when consent.why_not in ('erased', 'unregistered') then 'dpv:ConsentWithdrawn'
                when consent.why_not = 'gone' then 'dpv:ConsentInvalidated'
                when consent.decision in ('accepted', 'partly', 'share') then 'dpv:ConsentGiven'
                when consent.decision = 'declined' then 'dpv:ConsentRefused'
                when consent.decision = 'pending' then 'dpv:ConsentRequested'
                else 'dpv:ConsentUnknown'
            end,
            -- Nobody asks for a share: it is issued when it is created.
            'dct:issued', coalesce(consent.asked_at, consent.valid_from),
            'dct:dateAccepted', consent.decided_at,
            'dpv:hasDuration', jsonb_build_object('dct:valid', consent.valid_from, 'dct:expires', consent.valid_to)
        )
        order by consent.requirement_position, consent.item_position
    ) as "dpv:hasProcess"
from analytics.consents as consent
inner join warehouse.activities as activity on activity.id = consent.activity_id
left join warehouse.authorization_requests as request on request.activity_id = consent.activity_id
left join analytics.codes as requirement
    on requirement.kind = 'requirement' and requirement.code = consent.code
left join analytics.codes as item
    on item.kind = 'item' and item.parent_code = consent.code and item.code = consent.item_code
where consent.entity_id = %(entity)s::uuid
group by consent.activity_id, consent.entity_id, consent.direction
order by min(coalesce(consent.asked_at, consent.valid_from)), consent.activity_id
