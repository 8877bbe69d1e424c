-- Who can read what: an explicit list of tables and columns, so that nobody can read a new column until
-- it is listed here. In schema analytics analysts can read every view except the two at the end: views
-- hide personal data themselves. All older grants are revoked first, in the same transaction.

revoke all on schema warehouse, analytics, sync, landing from analyst, analyst_personal;
revoke all on all tables in schema warehouse, analytics, sync, landing from analyst, analyst_personal;
revoke all on all functions in schema warehouse, analytics, sync, landing
from public, analyst, analyst_personal;

-- `analyst`: codes, statuses, times and keys. No names, no messages, no values.
grant usage on schema warehouse, analytics, sync to analyst;

grant select (
    id, cifcode, type, score, scoring_level, unregistered, created_at, observed_at
) on warehouse.entities to analyst;
grant select on warehouse.entity_scores to analyst;
grant select (
    id, type, type_name, in_out_bound, entity_id, status, time_zone, valid_until, attended_at,
    completed_at, expires_at, created_at, updated_at, expires_in_time_unit, expires_in_amount,
    first_seen_at, details_fetched_at, gone_at, values_erased_at
) on warehouse.activities to analyst;
grant select (
    activity_id, disposition, position, code, type, category
) on warehouse.requirements to analyst;
grant select on warehouse.requirement_items to analyst;
grant select (
    activity_id, requirement_position, position, requirement_code, code, type
) on warehouse.accepted_items to analyst;
grant select (
    activity_id, position, status, date_time, http_request_id
) on warehouse.timeline_events to analyst;

grant select on sync.coverage to analyst;

grant select on all tables in schema analytics to analyst;
grant execute on all functions in schema analytics to analyst;
revoke all on analytics.shared_values, analytics.entity_profiles from analyst;
-- analytics.entity_history calls it. Without the schema nobody can call it by name.
grant execute on function landing.read_json(bytea) to analyst;

-- `analyst_personal`, a member of `analyst`: also messages, and through views values and profiles, which
-- the views show only while they are shared.
grant select (description, notification_message) on warehouse.activities to analyst_personal;
grant select (message) on warehouse.timeline_events to analyst_personal;
grant select on analytics.shared_values, analytics.entity_profiles to analyst_personal;
