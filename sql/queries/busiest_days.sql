-- On which days were most activities created?
select created_day, count(*) as created
from analytics.activities
group by 1
order by 2 desc, 1
limit 5
