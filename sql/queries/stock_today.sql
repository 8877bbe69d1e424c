-- How many activities are in each status at the end of the newest day?
select status, status_label, activities
from analytics.daily_status
where day = (select newest_day from analytics.freshness)
order by 3 desc, 1
