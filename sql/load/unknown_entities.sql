-- Removes counterparts that are still marked as altered after all that landing carries were written again. One that an
-- activity names stays; the next observation of it wins.
delete from warehouse.entities as stored
where stored.digest = ''
    and not exists (select from warehouse.activities as activity where activity.entity_id = stored.id)
