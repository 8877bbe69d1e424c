-- How often was each requirement requested, by month?
select requirement_code, created_month, count(*) as asked
from analytics.requirements
where is_asked and requirement_code in ('RQ_002', 'RQ_004')
group by 1, 2
order by 1, 2
limit 12
