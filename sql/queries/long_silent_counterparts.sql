-- Which counterparts have been silent longest?
select left(entity_id::text, 8) as entity, type_label, activities, last_contact_at
from analytics.counterparts
where last_contact_at is not null
order by last_contact_at, entity_id
limit 5
