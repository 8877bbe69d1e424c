-- Who asks us for the same thing again and again?
select
    left(entity_id::text, 8) as entity,
    requirement_code,
    count(*) as asked,
    count(*) filter (where is_accepted) as accepted,
    max(created_day) as last_asked
from analytics.requirements
where in_out_bound = 'IN' and is_asked
group by entity_id, requirement_code
having count(*) > 1
order by count(*) desc, 1, 2
limit 10
