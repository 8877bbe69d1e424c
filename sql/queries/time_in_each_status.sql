-- How long did the activities of the newest day stay in each status?
select
    status,
    count(*) as entered,
    count(duration) as left_again,
    date_trunc('minute', avg(duration)) as average
from analytics.status_intervals
where day = (select newest_day from analytics.freshness)
group by 1
order by 2 desc, 1
