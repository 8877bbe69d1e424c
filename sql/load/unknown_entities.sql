-- Removes altered counterparts that no response in landing carries. One that an activity names stays; the next
-- observation of it wins.
delete from warehouse.entities as stored
where stored.id = any(%(ids)s::uuid[])
    and stored.digest = ''
    and not exists (select from warehouse.activities as activity where activity.entity_id = stored.id)
