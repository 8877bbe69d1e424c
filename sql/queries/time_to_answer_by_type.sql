-- How long does an answer take, by type, in the newest month that has answers?
select
    type_label,
    in_out_bound,
    attended,
    date_trunc('minute', created_to_attended_p50) as half_within,
    date_trunc('minute', created_to_attended_p90) as nine_of_ten_within
from analytics.decision_times
where month = (select max(month) from analytics.decision_times where attended > 0)
    and attended > 0
order by 1, 2
