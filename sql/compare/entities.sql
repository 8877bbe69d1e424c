-- Each counterpart with the digest of what it means. Counterparts have no day.
select
    id::text as id,
    null::date as day,
    hash_record_extended(row(id, digest), 0) as digest
from warehouse.entities
