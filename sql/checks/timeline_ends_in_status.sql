-- table: timeline_events
-- promise: The last event of each timeline has the activity's status.
-- remedy: the service sent it like that: see landing.activity_details
--
-- Activities whose last events by time have another status. SENT and ACTION_REQUIRED are the same moment seen by
-- sender and receiver.
select activity.id::text
from warehouse.activities as activity
cross join lateral (
    -- Nobody says in which order those with a time come.
    select array_agg(event.status) as statuses
    from (
        select status, rank() over (order by date_time desc, case when date_time is null then position end desc) as place
        from warehouse.timeline_events
        where activity_id = activity.id
    ) as event
    where event.place = 1
) as latest
where activity.details_fetched_at > now() - interval '7 days'
    and not activity.status = any(latest.statuses)
    and not (activity.status in ('SENT', 'ACTION_REQUIRED') and latest.statuses && array['SENT', 'ACTION_REQUIRED'])
order by activity.id
limit 1000
