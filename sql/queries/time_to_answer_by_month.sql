-- Do counterparts answer our authorization requests faster than they used to?
select
    created_month,
    is_whole_month,
    answered_activities,
    round(hours_to_answer_p50::numeric, 1) as half_within_hours,
    round(hours_to_answer_p95::numeric, 1) as nineteen_of_twenty_within_hours
from analytics.activities_by_month
where activity_type = 'AT_004' and in_out_bound = 'OUT'
order by created_month desc
limit 12
