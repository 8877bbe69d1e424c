-- Each activity with a digest of what it means, and of what is known of it besides.
select
    activity_id::text as id,
    day,
    hash_record_extended(row(activity_id, listed, settled = listed, details, gone_at is null, altered), 0) as digest
from sync.activity_ledger
