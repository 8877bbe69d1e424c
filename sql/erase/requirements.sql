-- The values shared, without items. Codes stay.
update warehouse.requirements set value = null
where activity_id = any(%(ids)s::uuid[]) and value is not null
returning activity_id::text
