-- Which counterparts have been silent longest?
select left(entity_id::text, 8) as entity, entity_type_label, activities, silent_since, last_heard_at_if_ever, last_sent_at
from analytics.counterparts
where silent_since is not null
order by silent_since, entity_id
limit 5
