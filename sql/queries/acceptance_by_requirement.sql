-- How often is each requirement accepted, by them and by us?
select
    requirement_code,
    round(avg(is_accepted::integer) filter (where answered_by = 'them'), 3) as they_accept,
    round(avg(is_accepted::integer) filter (where answered_by = 'us'), 3) as we_accept
from analytics.requirements
where is_in_acceptance_rate
group by 1
order by 1
