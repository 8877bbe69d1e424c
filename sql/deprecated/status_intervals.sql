-- depends: activities
-- Each status of the timeline until the next one, by the service's own times. Ordered by time, not by
-- position, because the service does not document the order of a timeline.
create view analytics.status_intervals as
select
    event.activity_id,
    fact.created_day as day,
    event.position,
    event.status,
    status.label as status_label,
    event.date_time as from_at,
    following.date_time as to_at,
    following.status as next_status,
    following.date_time - event.date_time as duration
from warehouse.timeline_events as event
left join analytics.activities as fact on fact.activity_id = event.activity_id
left join analytics.codes as status on status.kind = 'status' and status.code = event.status
left join lateral (
    select next.date_time, next.status
    from warehouse.timeline_events as next
    where next.activity_id = event.activity_id
        and (next.date_time, next.position) > (event.date_time, event.position)
    order by next.date_time, next.position
    limit 1
) as following on true
where event.date_time is not null;
comment on view analytics.status_intervals is 'Deprecated: use analytics.status_changes.';
