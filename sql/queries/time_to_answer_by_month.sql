-- Do counterparts answer our authorization requests faster than they used to?
select
    month,
    attended,
    date_trunc('minute', created_to_attended_p50) as half_within,
    date_trunc('minute', created_to_attended_p95) as nineteen_of_twenty_within
from analytics.decision_times
where type = 'AT_004' and in_out_bound = 'OUT'
order by month desc
limit 12
