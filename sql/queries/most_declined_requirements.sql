-- Which requirements do they decline most often?
select
    requirement_code,
    requirement_label,
    count(*) as answered,
    count(*) filter (where outcome = 'declined') as declined,
    round(avg((outcome = 'declined')::integer), 3) as declined_rate
from analytics.requirements
where is_in_acceptance_rate and answered_by = 'them'
group by 1, 2
order by 5 desc, 1
