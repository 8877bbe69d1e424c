-- Activities in the warehouse that neither landing nor the ledger knows: somebody invented them.
select stored.id::text
from warehouse.activities as stored
where not exists (select from landing.activity_details as details where details.activity_id = stored.id)
    and not exists (select from landing.activity_list_rows as listed where listed.activity_id = stored.id)
    and not exists (select from sync.activity_ledger as known where known.activity_id = stored.id)
order by stored.id
