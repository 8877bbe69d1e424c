-- How often is each requirement accepted, by them and by us?
select
    requirement_code,
    round(avg((outcome <> 'declined')::integer) filter (where answered_by = 'them'), 3) as they_accept,
    round(avg((outcome <> 'declined')::integer) filter (where answered_by = 'us'), 3) as we_accept
from analytics.requirements
where asked and answered_by is not null
group by 1
order by 1
