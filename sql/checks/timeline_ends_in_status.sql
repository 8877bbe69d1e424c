-- table: timeline_events
-- promise: The last event of each timeline has the activity's status.
-- remedy: the service sent it like that: see landing.activity_details
--
-- Activities whose last event has another status. SENT and ACTION_REQUIRED are the same moment seen by
-- sender and receiver.
select activity.id::text
from warehouse.activities as activity
cross join lateral (
    select event.status
    from warehouse.timeline_events as event
    where event.activity_id = activity.id
    order by event.position desc
    limit 1
) as last_event
where last_event.status is distinct from activity.status
    and activity.details_fetched_at > now() - interval '7 days'
    and not (
        last_event.status in ('SENT', 'ACTION_REQUIRED')
        and activity.status in ('SENT', 'ACTION_REQUIRED')
    )
order by activity.id
limit 1000
