-- depends: 0086_calendar
-- Analysts filter the facts of analytics, which have indexes of their own. On these tables nothing asks for them
-- any more, and each load wrote them.
drop index warehouse.activities_created_at;
drop index warehouse.activities_status;
drop index warehouse.activities_valid_until;
drop index warehouse.requirements_code;
drop index warehouse.accepted_items_code;

-- Only the activities of a counterpart are looked for, in no order.
create index activities_entity_id on warehouse.activities (entity_id);
drop index warehouse.activities_shared_from;
