-- How long did the activities of the newest week stay in each status?
select
    status,
    count(*) as entered,
    count(duration) as left_again,
    date_trunc('minute', avg(duration)) as average
from analytics.status_intervals
where day between (select newest_day - 6 from analytics.freshness)
    and (select newest_day from analytics.freshness)
group by 1
order by 2 desc, 1
