-- Which requirements are declined most often?
select
    code,
    code_label,
    sum(asked) as asked,
    sum(declined) as declined,
    round(sum(declined) / nullif(sum(accepted + partly_accepted + declined), 0), 3) as declined_rate
from analytics.requirement_outcomes
group by 1, 2
order by 5 desc nulls last, 1
