-- At which hours of the week are most of our requests answered? (1 is Monday.)
select weekday, hour, sum(answered) as answered
from analytics.hours_of_week
where in_out_bound = 'OUT' and month between '2026-01-01' and '2026-12-31'
group by 1, 2
having sum(answered) > 0
order by 3 desc, 1, 2
limit 5
