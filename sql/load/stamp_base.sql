-- Where a run's stamps begin: now, but later than every stored stamp that decides what is newer. Only
-- stamps later than now matter, left by a clock that was ahead, on whatever machine. Those of landing are no later
-- than their ledger row, unless that row was lost.
select greatest(clock_timestamp(), max(at) + interval '1 microsecond')
from (
    -- Each by itself, as the indexes find it.
    select listed_at as at from sync.activity_ledger where listed_at > now()
    union all
    select checked_at from sync.activity_ledger where checked_at > now()
    union all
    select unlisted_at from sync.activity_ledger where unsettled and unlisted_at > now()
    union all
    select last_seen_at from sync.quarantine where resolved_at is null
    union all
    select observed_at from warehouse.entities
    union all
    select first_seen_at from landing.activity_details
    union all
    select first_seen_at from landing.activity_list_rows
) as stored
where at > now()
