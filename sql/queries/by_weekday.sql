-- On which weekdays do we receive requests, and on which do we send them?
select
    created_weekday,
    count(*) filter (where in_out_bound = 'IN') as received,
    count(*) filter (where in_out_bound = 'OUT') as sent
from analytics.activities
where created_day is not null
group by 1
order by 1
