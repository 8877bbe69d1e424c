-- Activities made anew from landing: written where any column differs from what is stored.
insert into warehouse.activities as stored (
    id, type, type_name, in_out_bound, entity_id, description, status, notification_message,
    time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
    expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at, gone_at
)
select
    id, type, type_name, in_out_bound, entity_id, description, status, notification_message,
    time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
    expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at, gone_at
from stage_activities as stage
where not exists (
    select from warehouse.activities as known
    where known.id = stage.id
        and (
            known.type, known.type_name, known.in_out_bound, known.entity_id, known.description,
            known.status, known.notification_message, known.time_zone, known.valid_until,
            known.attended_at, known.completed_at, known.expires_at, known.created_at,
            known.updated_at, known.expires_in_time_unit, known.expires_in_amount,
            known.first_seen_at, known.details_fetched_at, known.gone_at
        ) is not distinct from (
            stage.type, stage.type_name, stage.in_out_bound, stage.entity_id, stage.description,
            stage.status, stage.notification_message, stage.time_zone, stage.valid_until,
            stage.attended_at, stage.completed_at, stage.expires_at, stage.created_at,
            stage.updated_at, stage.expires_in_time_unit, stage.expires_in_amount,
            stage.first_seen_at, stage.details_fetched_at, stage.gone_at
        )
)
order by id
on conflict (id) do update set
    type = excluded.type,
    type_name = excluded.type_name,
    in_out_bound = excluded.in_out_bound,
    entity_id = excluded.entity_id,
    description = excluded.description,
    status = excluded.status,
    notification_message = excluded.notification_message,
    time_zone = excluded.time_zone,
    valid_until = excluded.valid_until,
    attended_at = excluded.attended_at,
    completed_at = excluded.completed_at,
    expires_at = excluded.expires_at,
    created_at = excluded.created_at,
    updated_at = excluded.updated_at,
    expires_in_time_unit = excluded.expires_in_time_unit,
    expires_in_amount = excluded.expires_in_amount,
    first_seen_at = excluded.first_seen_at,
    details_fetched_at = excluded.details_fetched_at,
    gone_at = excluded.gone_at
returning stored.id::text
