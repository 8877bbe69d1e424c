-- Single activities of older days whose details are due, for one of these reasons: their deadline has
-- passed; they are not final and were checked too long ago; a walk no longer lists them and nobody asked
-- since; they are in quarantine and the next attempt has come; their day is fetched one by one.
select ledger.activity_id::text, ledger.day, ledger.unlisted_at is not null as unlisted
from sync.activity_ledger as ledger
where ledger.deadline_at <= %(now)s
    and ledger.gone_at is null
    and ledger.day < %(before)s
union
select ledger.activity_id::text, ledger.day, ledger.unlisted_at is not null
from sync.activity_ledger as ledger
where not ledger.final
    and ledger.gone_at is null
    and ledger.day < %(before)s
    and (
        ledger.service_time is null
        or ledger.service_time <= %(stale_before)s
        or (ledger.day = any(%(days)s::date[]) and ledger.unlisted_at is null)
    )
union
select ledger.activity_id::text, ledger.day, true
from sync.activity_ledger as ledger
where ledger.unlisted_at is not null
    and ledger.gone_at is null
    and (ledger.checked_at is null or ledger.checked_at < ledger.unlisted_at)
    and ledger.day < %(before)s
union
select ledger.activity_id::text, ledger.day, ledger.unlisted_at is not null
from sync.quarantine as entry
inner join sync.activity_ledger as ledger
    -- With the cast on this side, the few entries look up the ledger by its key.
    on ledger.activity_id = case
        when entry.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then entry.subject::uuid
    end
where entry.resolved_at is null
    and entry.source = 'details'
    and entry.next_attempt_at <= now()
    and ledger.gone_at is null
    and ledger.day < %(before)s
order by 2, 1
