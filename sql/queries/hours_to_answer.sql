-- How many hours does an answer take, by type and direction, in the newest month that has answers?
select
    type_label,
    in_out_bound,
    attended,
    round(created_to_attended_hours_p50::numeric, 1) as half_within,
    round(created_to_attended_hours_p90::numeric, 1) as nine_of_ten_within
from analytics.decision_times
where month = (select max(month) from analytics.decision_times where attended > 0)
    and attended > 0
order by 1, 2
