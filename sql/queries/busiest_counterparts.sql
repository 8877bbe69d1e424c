-- Which counterparts have most activities with us, and how often do they accept?
select
    left(entity_id::text, 8) as entity, type_label, activities, received, sent, acceptance_rate,
    last_contact_at
from analytics.counterparts
order by activities desc, entity_id
limit 5
