-- Days whose list is proven, if the ledger knows exactly as many activities. Otherwise another run has stored
-- some meanwhile.
insert into sync.days as known (day, listed, proven_at, unproven, run_id)
select asked.day, asked.listed, %(at)s, null, %(run_id)s
from unnest(%(days)s::date[], %(listed)s::bigint[]) as asked (day, listed)
left join (
    select ledger.day, count(*) as rows
    from sync.activity_ledger as ledger
    where ledger.day = any(%(days)s::date[]) and ledger.unlisted_at is null
    group by ledger.day
) as offered on offered.day = asked.day
left join (
    -- Rows without an id that can be read.
    select entry.day, count(distinct entry.subject) as rows
    from sync.quarantine as entry
    where entry.resolved_at is null
        and entry.source = 'list'
        and entry.day = any(%(days)s::date[])
        and length(entry.subject) <> 36
    group by entry.day
) as nameless on nameless.day = asked.day
where asked.listed = coalesce(offered.rows, 0) + coalesce(nameless.rows, 0)
order by asked.day
on conflict (day) do update set
    listed = excluded.listed,
    proven_at = excluded.proven_at,
    unproven = null,
    run_id = excluded.run_id
returning known.day
