-- Which activities passed their deadline in the last week, with their outcome not known yet?
-- The answer changes with the clock.
select activity_id, activity_type_label, status, valid_until, details_fetched_at
from analytics.open_activities
where valid_until between now() - interval '7 days' and now() and is_overdue
order by valid_until
limit 10
