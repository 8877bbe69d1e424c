-- Which statuses are there, which end an activity, and in which can shared data be read?
select code, label, stage, final, shares
from analytics.codes
where kind = 'status'
order by final, code
