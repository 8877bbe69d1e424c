-- Each walked day with a digest of what its list said.
select
    day::text as id,
    day,
    hash_record_extended(known, 0) as digest
from sync.days as known
