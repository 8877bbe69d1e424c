-- How long did the activities of the newest day stay in each status?
select
    status,
    count(*) as entered,
    count(hours) as left_again,
    round(avg(hours)::numeric, 1) as average_hours
from analytics.status_changes
where created_day = (select newest_day from analytics.freshness)
group by 1
order by 2 desc, 1
