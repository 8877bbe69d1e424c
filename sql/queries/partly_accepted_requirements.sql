-- Which requirements are often accepted with only some of their items?
select code, code_label, sum(partly_accepted) as partly_accepted, sum(accepted) as accepted
from analytics.requirement_outcomes
group by 1, 2
having sum(partly_accepted) > 0
order by 3 desc, 1
