-- Some activities at random that are listed and stored with details: one scan of the ledger.
select activity_id::text
from sync.activity_ledger
where gone_at is null
    and unlisted_at is null
    and details is not null
order by random()
limit %(sample)s
