-- Counterparts whose rows are not as they were sealed, those without rows, and those never sealed.
select coalesce(known.entity_id, held.entity_id)::text
from sync.entity_ledger as known
full join sync.entity_digests as held on held.entity_id = known.entity_id
where known.rows_digest is distinct from held.digest
