-- How many activities were created each week, and how did they end? The running week is marked.
select
    counted.created_week,
    bool_and(day.week_is_whole) as whole,
    sum(counted.created) as created,
    sum(counted.pending) as pending,
    sum(counted.accepted) as accepted,
    sum(counted.declined) as declined,
    sum(counted.canceled) as canceled,
    sum(counted.shares) as shares
from analytics.activities_by_created_day as counted
inner join analytics.days as day on day.day = counted.created_day
group by 1
order by 1 desc
limit 8
