-- Which counterparts have most activities with us, and how often do they accept, and we?
select
    left(entity_id::text, 8) as entity, entity_type_label, activities, received_activities, sent_activities,
    their_acceptance_rate, our_acceptance_rate, silent_since
from analytics.counterparts
order by activities desc, entity_id
limit 5
