-- depends: activities
-- Every text of an activity, for the role analyst_personal.
create view analytics.messages as
select
    activity.id as activity_id,
    text.source,
    text.position,
    text.message,
    text.sent_at,
    activity.in_out_bound,
    activity.entity_id,
    shown.created_day
from warehouse.activities as activity
inner join analytics.activities as shown on shown.activity_id = activity.id
cross join lateral (
    select 'description' as source, null::integer as position, activity.description as message, activity.created_at as sent_at
    union all
    select 'notification', null, activity.notification_message, activity.attended_at
    union all
    select 'timeline', event.position, event.message, event.date_time
    from warehouse.timeline_events as event
    where event.activity_id = activity.id
) as text
where text.message <> '';

comment on view analytics.messages is 'One row per text of an activity, for the role analyst_personal. Search it by message. What was erased is not here.';
comment on column analytics.messages.source is 'description: the message to the receiver. notification: the message to the sender. timeline: the service''s remark on a change of status.';
comment on column analytics.messages.position is 'Position in the timeline, from 0. Null: not from there.';
comment on column analytics.messages.message is 'The text.';
comment on column analytics.messages.sent_at is 'When: the creation, the answer, or the change of status. Null: not known.';
