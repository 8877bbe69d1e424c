-- Which part of the accepted activities and the shares is completed, by month?
select
    created_month,
    count(*) as accepted_or_shared,
    count(*) filter (where is_completed) as completed,
    round(avg(is_completed::integer), 3) as completion_rate
from analytics.activities
where outcome in ('accepted', 'share')
group by 1
order by 1
limit 12
