-- What do we know about one activity? (Here: the first of the newest day.)
select left(activity_id::text, 8) as activity, activity_type_label, in_out_bound, status_label, created_at, valid_until
from analytics.activities
where created_day = (select newest_day from analytics.freshness)
order by activity_type, created_at
limit 1
