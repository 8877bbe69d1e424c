-- Activities that neither landing nor the ledger knows: somebody invented them.
delete from warehouse.activities as stored
where stored.id = any(%(ids)s::uuid[])
    and not exists (select from sync.activity_ledger as known where known.activity_id = stored.id)
