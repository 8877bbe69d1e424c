-- table: activities
-- promise: Instants lie between 2000 and 2200, and not more than a year before the creation.
-- remedy: the service sent it like that, perhaps seconds instead of milliseconds: see landing.activity_details
--
-- Activities with an instant that can't be true. It is stored as it came.
select distinct activity.id::text
from warehouse.activities as activity
left join warehouse.timeline_events as event on event.activity_id = activity.id
cross join lateral (
    select
        least(
            activity.valid_until, activity.attended_at, activity.completed_at, activity.expires_at,
            activity.updated_at, event.date_time
        ) as first,
        greatest(
            activity.valid_until, activity.attended_at, activity.completed_at, activity.expires_at,
            activity.updated_at, event.date_time
        ) as last
) as stored
where activity.details_fetched_at > now() - interval '7 days'
    and (
        stored.first < greatest(timestamptz '2000-01-01 00:00Z', activity.created_at - interval '1 year')
        or stored.last >= timestamptz '2200-01-01 00:00Z'
    )
order by activity.id::text
limit 1000
