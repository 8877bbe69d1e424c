-- Where a run's stamps begin: now, but later than every stored stamp that decides what is newer. Only
-- stamps later than now matter, left by a clock that was ahead, on whatever machine.
select greatest(
    clock_timestamp(),
    (
        select max(greatest(listed_at, checked_at, unlisted_at)) + interval '1 microsecond'
        from sync.activity_ledger
        where listed_at > now() or checked_at > now() or unlisted_at > now()
    ),
    (
        select max(last_seen_at) + interval '1 microsecond'
        from sync.quarantine
        where resolved_at is null
    ),
    (
        select max(observed_at) + interval '1 microsecond'
        from warehouse.entities
        where observed_at > now()
    ),
    -- No later than its ledger row, unless that row was lost.
    (
        select max(first_seen_at) + interval '1 microsecond'
        from landing.activity_details
        where first_seen_at > now()
    ),
    (
        select max(first_seen_at) + interval '1 microsecond'
        from landing.activity_list_rows
        where first_seen_at > now()
    )
)
