-- What do we know about one activity? (Here: the first of the newest day.)
select left(id::text, 8) as activity, type_label, in_out_bound, status_label, created_at, valid_until
from analytics.activities
where day = (select newest_day from analytics.freshness)
order by type, created_at
limit 1
