-- At which hours of the day, in our zone, do we receive requests, and when are requests answered?
select
    hour,
    sum(created) filter (where in_out_bound = 'IN') as received,
    sum(created) filter (where in_out_bound = 'OUT') as sent,
    sum(answered) filter (where in_out_bound = 'OUT') as answered_by_them
from analytics.hours_of_week
where month between '2026-01-01' and '2026-12-31'
group by 1
order by 1
