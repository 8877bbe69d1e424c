-- table: activities
-- promise: created_at <= attended_at <= completed_at.
-- remedy: the service sent it like that: see landing.activity_details
--
-- Activities whose times contradict each other.
select id::text
from warehouse.activities
where details_fetched_at > now() - interval '7 days'
    and (attended_at < created_at or completed_at < coalesce(attended_at, created_at))
order by id
limit 1000
