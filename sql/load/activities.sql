-- Activities whose details are new or changed, and list rows of activities without details yet.
-- A list row never overwrites details, unless the table claims details that were never received. An
-- activity that is answered again is no longer gone.
insert into warehouse.activities as stored (
    id, type, type_name, in_out_bound, entity_id, description, status, notification_message,
    time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
    expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at
)
select
    id, type, type_name, in_out_bound, entity_id, description, status, notification_message,
    time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
    expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at
from stage_activities
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
    details_fetched_at = excluded.details_fetched_at,
    gone_at = null
where excluded.details_fetched_at is not null
    or stored.details_fetched_at is null
    or not exists (
        select from landing.activity_details as details where details.activity_id = stored.id
    )
