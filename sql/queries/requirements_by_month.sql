-- How often was each requirement requested, by month?
select code, date_trunc('month', day)::date as month, sum(asked) as asked
from analytics.requirement_outcomes
where code in ('RQ_002', 'RQ_004')
group by 1, 2
order by 1, 2
limit 12
