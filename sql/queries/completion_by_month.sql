-- Which share of the accepted activities is completed, by month?
select
    date_trunc('month', day)::date as month,
    sum(accepted) as accepted,
    sum(completed) as completed,
    round(sum(completed) / nullif(sum(accepted), 0), 3) as completion_rate
from analytics.activity_funnel
group by 1
order by 1
limit 12
