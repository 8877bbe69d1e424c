-- Each status of the timeline until the next one, by the service's own times. Ordered by time, not by
-- position, because the service does not document the order of a timeline.
create view analytics.status_intervals as
select
    event.activity_id,
    ledger.day,
    event.position,
    event.status,
    status.label as status_label,
    event.date_time as from_at,
    following.date_time as to_at,
    following.status as next_status,
    following.date_time - event.date_time as duration
from warehouse.timeline_events as event
left join sync.activity_ledger as ledger on ledger.activity_id = event.activity_id
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

comment on view analytics.status_intervals is
    'From the timeline: when each activity entered and left each status. Filter by activity_id or day.';
comment on column analytics.status_intervals.activity_id is 'The activity.';
comment on column analytics.status_intervals.day is 'Day of the activity''s creation in the configured time zone.';
comment on column analytics.status_intervals.position is 'Position of the event in timeline, from 0.';
comment on column analytics.status_intervals.status is 'Status entered.';
comment on column analytics.status_intervals.status_label is 'Label of the status.';
comment on column analytics.status_intervals.from_at is 'When it was entered.';
comment on column analytics.status_intervals.to_at is 'When the next status was entered. Null: this is the last one.';
comment on column analytics.status_intervals.next_status is 'The next status.';
comment on column analytics.status_intervals.duration is 'Time between the two. Null: this is the last one.';
