-- What did the counterparts with most activities give and decline, by requirement and month of creation?
select
    left(consent.entity_id::text, 8) as entity,
    consent.code,
    date_trunc('month', consent.day)::date as month,
    count(*) filter (where consent.asked_at is not null) as asked,
    count(*) filter (where consent.decision in ('given', 'partly')) as given,
    count(*) filter (where consent.decision = 'declined') as declined
from (
    select entity_id
    from analytics.counterparts
    order by activities desc, entity_id
    limit 2
) as busiest
inner join analytics.consents as consent on consent.entity_id = busiest.entity_id
where not consent.is_item
group by 1, 2, 3
order by 1, 2, 3
limit 20
