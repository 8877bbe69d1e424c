-- Older days with activities that are not final, and how many of these are not due by time alone.
select
    ledger.day,
    count(*) - count(*) filter (
        where ledger.service_time is null
            or ledger.service_time <= %(stale_before)s
            or ledger.deadline_at <= %(now)s
    ) as not_due
from sync.activity_ledger as ledger
where not ledger.final
    and ledger.gone_at is null
    and ledger.unlisted_at is null
    and ledger.day < %(before)s
group by ledger.day
order by ledger.day
