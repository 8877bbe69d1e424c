-- Which days are not complete, and why?
select day, listed, stored, quarantined, gone, incomplete
from analytics.days
where incomplete is not null
order by day
limit 10
