-- Each activity with a digest of what a run wrote of it: its rows in all tables, as sealed, and the newest
-- responses in landing (docs/design.md "Witnesses").
select
    activity_id::text as id,
    day,
    hash_record_extended(row(activity_id, rows_digest, details_digest, list_digest), 0) as digest
from sync.activity_ledger
