-- How many activities were in each status at the end of each month?
select stock.day, stock.status, stock.activities
from analytics.daily_status as stock
inner join analytics.codes as code on code.kind = 'status' and code.code = stock.status
where stock.day = (date_trunc('month', stock.day) + interval '1 month - 1 day')::date
    and stock.day <= (select newest_day from analytics.freshness)
    and not code.final
order by 1 desc, 2
limit 12
