-- Which requirements do they decline most often?
select
    requirement_code,
    requirement_label,
    sum(asked) as asked,
    sum(declined) as declined,
    round(sum(declined) / nullif(sum(accepted + partly + declined), 0), 3) as declined_rate
from analytics.requirements_by_created_day
where in_out_bound = 'OUT'
group by 1, 2
order by 5 desc nulls last, 1
