-- The values shared by item. Codes stay.
update warehouse.accepted_items set value = null
where activity_id = any(%(ids)s::uuid[]) and value is not null
returning activity_id::text
