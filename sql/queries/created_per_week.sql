-- How many activities were created each week, and how did they end? The running week is marked.
select
    counted.created_week,
    bool_and(day.is_whole_week) as whole,
    sum(counted.created_activities) as created,
    sum(counted.pending_activities) as pending,
    sum(counted.accepted_activities) as accepted,
    sum(counted.declined_activities) as declined,
    sum(counted.canceled_activities) as canceled,
    sum(counted.shares) as shares
from analytics.activities_by_created_day as counted
inner join analytics.days as day on day.day = counted.created_day
group by 1
order by 1 desc
limit 8
