-- What a later night got again is a habit; what no activity has any more was none. Activities that have nothing
-- but habits are settled.
with standing as (
    select each.discrepancy, ledger.discrepancy_settled_at
    from sync.activity_ledger as ledger
    cross join unnest(string_to_array(ledger.discrepancy, '; ')) as each (discrepancy)
    where ledger.discrepancy is not null and exists (select from sync.habits where confirmed_at is null)
),

forgotten as (
    delete from sync.habits as habit
    where habit.confirmed_at is null
        and not exists (select from standing where standing.discrepancy = habit.discrepancy)
),

confirmed as (
    update sync.habits as habit set confirmed_at = now()
    where habit.confirmed_at is null
        and exists (
            select from standing
            where standing.discrepancy = habit.discrepancy
                and standing.discrepancy_settled_at > habit.suspected_at
        )
    returning habit.discrepancy
),

settled as (
    update sync.activity_ledger as ledger set discrepancy_settled_at = ledger.discrepancy_since
    where ledger.discrepancy is not null
        and ledger.discrepancy_settled_at is null
        and exists (select from confirmed)
        and string_to_array(ledger.discrepancy, '; ') <@ array(
            select discrepancy from confirmed
            union
            select discrepancy from sync.habits where confirmed_at is not null
        )
)

select discrepancy from confirmed
order by discrepancy
