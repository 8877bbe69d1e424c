-- depends: 0040_kept
-- Days are counted many at a time: one plan for all of them, instead of one plan for each.

drop function sync.count_day(date);
drop function sync.altered_activities(date);

create function sync.altered_activities(altered_days date[]) returns table (activity_id uuid, day date)
language sql
stable
as $$
    select compared.activity_id, max(compared.day)
    from (
        select ledger.activity_id, ledger.day, ledger.rows_digest as digest
        from sync.activity_ledger as ledger
        where ledger.day = any(altered_days)
        union all
        select held.activity_id, null, held.digest
        from sync.activity_digests as held
        -- As an array, the ids reach the indexes of all tables.
        where held.activity_id = any(
            array(
                select these_days.activity_id
                from sync.activity_ledger as these_days
                where these_days.day = any(altered_days)
            )
        )
    ) as compared
    group by compared.activity_id
    -- What has neither rows nor a digest is as it was written.
    having count(compared.digest) = 1 or min(compared.digest) <> max(compared.digest)
$$;

create function sync.count_days(counted_days date[]) returns table (
    day date, stored bigint, quarantined bigint, gone bigint
)
language sql
stable
as $$
    select asked.day, coalesce(known.stored, 0), coalesce(held.entries, 0), coalesce(known.gone, 0)
    from unnest(counted_days) as asked (day)
    left join (
        select
            ledger.day,
            count(*) filter (
                where ledger.gone_at is null
                    and ledger.unlisted_at is null
                    and ledger.details_fingerprint = ledger.fingerprint
                    and ledger.activity_id not in (
                        select altered.activity_id
                        from sync.altered_activities(counted_days) as altered
                    )
                    and ledger.activity_id::text not in (
                        select entry.subject from sync.quarantine as entry where entry.resolved_at is null
                    )
            ) as stored,
            count(*) filter (where ledger.gone_at is not null) as gone
        from sync.activity_ledger as ledger
        where ledger.day = any(counted_days)
        group by ledger.day
    ) as known
        on known.day = asked.day
    left join (
        select entry.day, count(distinct entry.subject) as entries
        from sync.quarantine as entry
        where entry.day = any(counted_days)
            and entry.resolved_at is null
            and not exists (
                select from sync.activity_ledger as left_out
                where left_out.activity_id::text = entry.subject
                    and left_out.day = entry.day
                    and left_out.unlisted_at is not null
            )
        group by entry.day
    ) as held
        on held.day = asked.day
$$;
