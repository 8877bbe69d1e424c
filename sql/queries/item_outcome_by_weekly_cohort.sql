-- How did the rate at which an item is accepted develop, by week of creation? (Here: the full name, asked of them.)
select
    date_trunc('week', created_day)::date as week,
    count(*) as asked,
    count(*) filter (where is_accepted) as accepted,
    round(avg(is_accepted::integer) filter (where is_in_acceptance_rate), 3) as acceptance_rate
from analytics.items
where is_asked
    and in_out_bound = 'OUT'
    and item_code = 'PIF_002'
    and created_day > (select newest_day - 56 from analytics.freshness)
group by 1
order by 1 desc
limit 9
