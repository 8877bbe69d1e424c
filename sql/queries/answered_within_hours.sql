-- Which part of what needs an answer is answered within 1, 24 and 72 hours, by type and direction?
select
    activity_type_label,
    in_out_bound,
    count(*) as created,
    round(avg((coalesce(hours_to_answer <= 1, false))::integer), 3) as within_1_hour,
    round(avg((coalesce(hours_to_answer <= 24, false))::integer), 3) as within_24_hours,
    round(avg((coalesce(hours_to_answer <= 72, false))::integer), 3) as within_72_hours
from analytics.activities
where created_month between '2026-01-01' and '2026-12-31' and is_request
group by 1, 2
order by 1, 2
