-- What must we answer? Direction counts: what we sent waits for the other side. (Here: of the newest day.)
select left(id::text, 8) as activity, type_label, in_out_bound, status, valid_until
from analytics.open_activities
where day = (select newest_day from analytics.freshness) and waiting_for = 'us'
order by valid_until, id
limit 5
