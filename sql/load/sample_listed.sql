-- A fair sample, without replacement, of activities that are listed and stored with details: one scan
-- of the ledger (under a second for a million rows), where each has the same chance.
select activity_id::text
from sync.activity_ledger
where gone_at is null
    and unlisted_at is null
    and details_digest is not null
order by random()
limit %(sample)s
