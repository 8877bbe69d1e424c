-- depends: activities
-- Every text of an activity, for the role analyst_personal.
create view analytics.messages as
select
    text.activity_id,
    text.source,
    text.position,
    text.message,
    text.sent_at,
    activity.in_out_bound,
    activity.entity_id,
    shown.created_day
from (
    select id as activity_id, 'description' as source, null::integer as position, description as message, created_at as sent_at
    from warehouse.activities
    union all
    select id, 'notification', null, notification_message, attended_at
    from warehouse.activities
    union all
    select activity_id, 'timeline', position, message, date_time
    from warehouse.timeline_events
) as text
inner join warehouse.activities as activity on activity.id = text.activity_id
inner join analytics.activities as shown on shown.activity_id = activity.id
where text.message <> '';

comment on view analytics.messages is 'One row per text of an activity, for the role analyst_personal. Search it by message. What was erased is not here.';
comment on column analytics.messages.source is 'description: the message to the receiver. notification: the message to the sender. timeline: the service''s remark on a change of status.';
comment on column analytics.messages.position is 'Position in the timeline, from 0. Null: not from there.';
comment on column analytics.messages.message is 'The text.';
comment on column analytics.messages.sent_at is 'When: the creation, the answer, or the change of status. Null: not known.';
