-- How many hours does an answer take, by type and direction, in the newest month that has answers?
select
    activity_type_label,
    in_out_bound,
    answered_activities,
    round(hours_to_answer_p50::numeric, 1) as half_within,
    round(hours_to_answer_p90::numeric, 1) as nine_of_ten_within
from analytics.activities_by_month
where created_month = (select max(created_month) from analytics.activities_by_month where answered_activities > 0)
    and answered_activities > 0
order by 1, 2
