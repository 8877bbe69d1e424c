-- Open entries follow their activity. The others are tried again by the next walk, which tells their day.
update sync.quarantine as entry set
    day = coalesce(
        (
            select ledger.day
            from sync.activity_ledger as ledger
            where ledger.activity_id = case when length(entry.subject) = 36 then entry.subject::uuid end
        ),
        entry.day
    ),
    next_attempt_at = now()
where entry.resolved_at is null
