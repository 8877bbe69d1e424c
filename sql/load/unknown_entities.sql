-- Removes counterparts that no response in landing carries. One that an activity still names stays, and the next
-- observation of it wins. Then forgets the digests of all that are no longer stored.
with distrusted as (
    update warehouse.entities as stored set digest = '', observed_at = 'epoch'
    where stored.id = any(%(ids)s::uuid[])
        and exists (select from warehouse.activities as activity where activity.entity_id = stored.id)
),

removed as (
    delete from warehouse.entities as stored
    where stored.id = any(%(ids)s::uuid[])
        and not exists (select from warehouse.activities as activity where activity.entity_id = stored.id)
    returning stored.id
)

delete from sync.entity_ledger as known
where not exists (
    select from warehouse.entities as stored
    where stored.id = known.entity_id and stored.id not in (select removed.id from removed)
)
