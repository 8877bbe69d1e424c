-- Which share of the accepted activities is completed, by month?
select
    created_month,
    count(*) as accepted,
    count(*) filter (where completed) as completed,
    round(avg(completed::integer), 3) as completion_rate
from analytics.activities
where outcome in ('accepted', 'share')
group by 1
order by 1
limit 12
