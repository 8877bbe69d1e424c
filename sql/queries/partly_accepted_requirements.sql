-- Which requirements do they often accept with only some of their items?
select requirement_code, requirement_label, sum(partly) as partly, sum(accepted) as accepted
from analytics.requirements_by_created_day
where in_out_bound = 'OUT'
group by 1, 2
having sum(partly) > 0
order by 3 desc, 1
