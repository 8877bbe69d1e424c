-- Activities whose rows are not as they were sealed, those without rows, and those without a ledger row.
-- Every row of all tables is read once: ten seconds for a million activities.
select coalesce(ledger.activity_id, held.activity_id)::text, ledger.day
from sync.activity_ledger as ledger
full join sync.activity_digests as held on held.activity_id = ledger.activity_id
where ledger.rows_digest is distinct from held.digest
