-- Each counterpart with the digest of its rows, as sealed. Counterparts have no day.
select
    entity_id::text as id,
    null::date as day,
    hash_record_extended(row(entity_id, rows_digest), 0) as digest
from sync.entity_ledger
