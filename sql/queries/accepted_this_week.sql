-- How many activities were accepted in each week, by the week of the answer, by us and by them?
select answered_week, answered_by, sum(accepted_activities) as accepted, sum(answered_activities) as answered
from analytics.activities_by_answered_day
group by 1, 2
order by 1 desc, 2
limit 8
