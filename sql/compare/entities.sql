-- Each counterpart with the digest of what it means. Counterparts have no day. What somebody altered equals nothing.
select
    id::text as id,
    null::date as day,
    case
        when digest = '' then hashtextextended(gen_random_uuid()::text, 0)
        else hash_record_extended(row(id, digest), 0)
    end as digest
from warehouse.entities
