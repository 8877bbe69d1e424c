-- Activities
select
    activity.id::text as id,
    shown.activity_type_label as type,
    shown.in_out_bound,
    shown.status,
    shown.created_at,
    shown.answered_at as attended_at,
    shown.completed_at,
    shown.expires_at,
    shown.gone_at,
    activity.description,
    activity.notification_message,
    (
        select jsonb_agg(
            jsonb_build_object('status', event.status, 'at', event.date_time, 'message', event.message)
            order by event.position
        )
        from warehouse.timeline_events as event
        where event.activity_id = activity.id
    ) as timeline
from warehouse.activities as activity
inner join analytics.activities as shown on shown.activity_id = activity.id
where activity.entity_id = %(entity)s::uuid
order by shown.created_at, activity.id
