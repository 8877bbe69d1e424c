-- What must we answer within the next two days?
-- The answer changes with the clock.
select activity_id, activity_type_label, created_at, valid_until, time_left
from analytics.open_activities
where valid_until between now() and now() + interval '2 days' and waiting_for = 'us'
order by valid_until
limit 10
