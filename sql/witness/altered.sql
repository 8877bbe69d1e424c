-- Activities whose rows are not as they were sealed, those without rows, and those without a ledger row, also
-- if only landing knows them. Every row of all tables is read once: ten seconds for a million activities.
select coalesce(ledger.activity_id, held.activity_id)::text, ledger.day
from sync.activity_ledger as ledger
full join sync.activity_digests as held on held.activity_id = ledger.activity_id
where ledger.rows_digest is distinct from held.digest
union
select landed.activity_id::text, null
from (
    select activity_id from landing.activity_details
    union all
    select activity_id from landing.activity_list_rows
) as landed
where not exists (select from sync.activity_ledger as known where known.activity_id = landed.activity_id)
