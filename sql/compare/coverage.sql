-- Each walked day with a digest of what is known of it.
select
    day::text as id,
    day,
    hash_record_extended(known, 0) as digest
from sync.coverage as known
