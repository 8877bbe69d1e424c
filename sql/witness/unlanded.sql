-- Activities of which landing has lost every response, of some days or (null) of all: it could not restore their
-- rows. What is gone can't be fetched again. An empty digest is nobody's: these details are asked for already.
select ledger.activity_id::text, ledger.day
from sync.activity_ledger as ledger
where (%(days)s::date[] is null or ledger.day = any(%(days)s::date[]))
    and ledger.gone_at is null
    and ledger.details_digest <> ''
    and not exists (
        select from landing.activity_details as details where details.activity_id = ledger.activity_id
    )
union all
select ledger.activity_id::text, ledger.day
from sync.activity_ledger as ledger
where (%(days)s::date[] is null or ledger.day = any(%(days)s::date[]))
    and ledger.gone_at is null
    and ledger.details_digest is null
    and ledger.list_digest is not null
    and not exists (
        select from landing.activity_list_rows as listed where listed.activity_id = ledger.activity_id
    )
