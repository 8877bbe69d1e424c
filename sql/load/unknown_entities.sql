-- Counterparts that no response in landing carries. One that an activity still names stays.
delete from warehouse.entities as stored
where stored.id = any(%(ids)s::uuid[])
    and not exists (select from warehouse.activities as activity where activity.entity_id = stored.id)
