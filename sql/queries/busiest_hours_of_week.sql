-- At which hours of the week are most of our requests answered? (1 is Monday.)
select answered_weekday, answered_hour_local, count(*) as answered
from analytics.activities
where answered_by = 'them' and answered_month between '2026-01-01' and '2026-12-31'
group by 1, 2
order by 3 desc, 1, 2
limit 5
