-- Each activity with a digest of what it means, and of what is known of it besides. What somebody altered equals nothing.
select
    activity_id::text as id,
    day,
    case
        when altered then hashtextextended(gen_random_uuid()::text, 0)
        else hash_record_extended(row(activity_id, listed, settled = listed, details, gone_at is null), 0)
    end as digest
from sync.activity_ledger
