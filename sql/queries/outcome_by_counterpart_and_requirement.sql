-- What did the counterparts with most activities accept and decline, by requirement and month of creation?
select
    left(answer.entity_id::text, 8) as entity,
    answer.requirement_code,
    answer.created_month,
    count(*) as asked,
    count(*) filter (where answer.is_accepted) as accepted,
    count(*) filter (where answer.outcome = 'declined') as declined
from (
    select entity_id
    from analytics.counterparts
    order by activities desc, entity_id
    limit 2
) as busiest
inner join analytics.requirements as answer on answer.entity_id = busiest.entity_id
where answer.is_asked and answer.in_out_bound = 'OUT'
group by 1, 2, 3
order by 1, 2, 3
limit 20
