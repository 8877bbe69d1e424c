-- How many activities were created each week, and how did they end?
select
    date_trunc('week', day)::date as week,
    sum(created) as created,
    sum(pending) as pending,
    sum(accepted) as accepted,
    sum(declined) as declined,
    sum(canceled) as canceled
from analytics.activity_funnel
group by 1
order by 1 desc
limit 8
