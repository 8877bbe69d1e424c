-- How often was each requirement requested, by month?
select requirement_code, created_month, sum(asked) as asked
from analytics.requirements_by_created_day
where requirement_code in ('RQ_002', 'RQ_004')
group by 1, 2
order by 1, 2
limit 12
