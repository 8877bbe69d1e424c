-- On which days were most activities created?
select day, sum(created) as created
from analytics.activity_funnel
group by 1
order by 2 desc, 1
limit 5
