-- Which requirements do they often accept with only some of their items?
select
    requirement_code,
    requirement_label,
    count(*) filter (where outcome = 'partly') as partly,
    count(*) filter (where outcome = 'accepted') as accepted
from analytics.requirements
where is_in_acceptance_rate and answered_by = 'them'
group by 1, 2
having count(*) filter (where outcome = 'partly') > 0
order by 3 desc, 1
