-- table: requirements
-- promise: Every accepted requirement was requested.
-- remedy: the service sent it like that: see landing.activity_details
--
-- Activities with an accepted requirement whose code was not requested.
select distinct accepted.activity_id::text
from warehouse.requirements as accepted
inner join warehouse.activities as activity on activity.id = accepted.activity_id
where accepted.disposition = 'accepted'
    and activity.details_fetched_at > now() - interval '7 days'
    and not exists (
        select from warehouse.requirements as requested
        where requested.activity_id = accepted.activity_id
            and requested.disposition = 'requested'
            and requested.code is not distinct from accepted.code
    )
limit 1000
