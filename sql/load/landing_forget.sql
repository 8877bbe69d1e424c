-- The ledger rows of activities just removed: without them the next run takes them for new.
delete from sync.activity_ledger as known
where known.activity_id = any(%(ids)s::uuid[])
    and not exists (select from warehouse.activities as stored where stored.id = known.activity_id)
