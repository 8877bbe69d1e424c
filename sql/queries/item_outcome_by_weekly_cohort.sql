-- How did the rate at which an item is given develop, by week of creation? (Here: the full name.)
select
    date_trunc('week', day)::date as week,
    sum(asked) as asked,
    sum(given) as given,
    round(sum(given) / nullif(sum(given + declined), 0), 3) as given_rate
from analytics.item_outcomes
where code = 'RQ_004'
    and item_code = 'PIF_002'
    and day > (select newest_day - 56 from analytics.freshness)
group by 1
order by 1 desc
limit 9
