-- Who asks us for the same thing again and again?
select
    left(asker.entity_id::text, 8) as entity,
    asker.received,
    consent.code,
    consent.item_code,
    count(*) as asked,
    count(*) filter (where consent.decision in ('given', 'partly')) as given,
    max(consent.asked_at)::date as last_asked
from (
    select entity_id, received
    from analytics.counterpart_activity
    where received > 1
    order by received desc, entity_id
    limit 3
) as asker
inner join analytics.consents as consent on consent.entity_id = asker.entity_id
where consent.in_out_bound = 'IN' and consent.asked_at is not null
group by asker.entity_id, asker.received, consent.code, consent.is_item, consent.item_code
having count(*) > 1
order by count(*) desc, 1, 3, 4
limit 10
