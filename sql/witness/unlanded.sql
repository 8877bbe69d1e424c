-- Activities whose newest responses landing has lost, of some days or (null) of all: it could not restore their
-- rows. What is gone can't be fetched again.
select ledger.activity_id::text, ledger.day
from sync.activity_ledger as ledger
where (%(days)s::date[] is null or ledger.day = any(%(days)s::date[]))
    and ledger.gone_at is null
    and case
        -- An empty digest is nobody's: these details are asked for already.
        when ledger.details_digest <> ''
            then not exists (
                select from landing.activity_details as details
                where details.activity_id = ledger.activity_id and details.digest = ledger.details_digest
            )
        when ledger.list_digest is not null
            then not exists (
                select from landing.activity_list_rows as listed where listed.activity_id = ledger.activity_id
            )
        else false
    end
