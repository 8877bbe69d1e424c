-- Activities whose details are new or changed, and list rows of activities without details yet.
-- A list row comes only where no details were ever received, whatever the table claims, and what it lost
-- stays as it was. An activity that is answered again is no longer gone.
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
    type = coalesce(excluded.type, case when excluded.details_fetched_at is null then stored.type end),
    type_name = excluded.type_name,
    in_out_bound = coalesce(excluded.in_out_bound, case when excluded.details_fetched_at is null then stored.in_out_bound end),
    entity_id = coalesce(excluded.entity_id, case when excluded.details_fetched_at is null then stored.entity_id end),
    description = excluded.description,
    status = coalesce(excluded.status, case when excluded.details_fetched_at is null then stored.status end),
    notification_message = excluded.notification_message,
    time_zone = coalesce(excluded.time_zone, case when excluded.details_fetched_at is null then stored.time_zone end),
    valid_until = excluded.valid_until,
    attended_at = excluded.attended_at,
    completed_at = excluded.completed_at,
    expires_at = excluded.expires_at,
    created_at = coalesce(excluded.created_at, case when excluded.details_fetched_at is null then stored.created_at end),
    updated_at = excluded.updated_at,
    expires_in_time_unit = excluded.expires_in_time_unit,
    expires_in_amount = excluded.expires_in_amount,
    details_fetched_at = excluded.details_fetched_at,
    gone_at = null
where excluded.details_fetched_at is not null
    -- What a list row repeats is not written.
    or (
        excluded.type, excluded.in_out_bound, excluded.entity_id, excluded.status,
        excluded.time_zone, excluded.created_at, excluded.details_fetched_at
    ) is distinct from (
        stored.type, stored.in_out_bound, stored.entity_id, stored.status,
        stored.time_zone, stored.created_at, stored.details_fetched_at
    )
