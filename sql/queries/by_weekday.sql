-- On which weekdays do we receive requests, and on which do we send them?
select
    extract(isodow from day)::integer as weekday,
    sum(created) filter (where in_out_bound = 'IN') as received,
    sum(created) filter (where in_out_bound = 'OUT') as sent
from analytics.activity_funnel
where day is not null
group by 1
order by 1
