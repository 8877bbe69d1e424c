-- Which days are not complete, and why?
select day, listed_activities, stored_activities, quarantined_activities, gone_activities, incomplete
from analytics.days
where incomplete is not null
order by day
limit 10
