-- What must we answer? Direction counts: what we sent waits for the other side. (Here: of the newest day.)
select left(activity_id::text, 8) as activity, activity_type_label, in_out_bound, status, valid_until
from analytics.open_activities
where created_day = (select newest_day from analytics.freshness) and waiting_for = 'us'
order by valid_until, activity_id
limit 5
