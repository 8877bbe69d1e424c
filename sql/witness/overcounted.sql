-- Days of which coverage counts more activities than the ledger knows: somebody removed rows of both the
-- tables and the ledger, so that nothing is left to compare.
select known.day
from sync.coverage as known
left join (
    select day, count(*) as number
    from sync.activity_ledger
    group by day
) as held on held.day = known.day
where known.stored + known.gone > coalesce(held.number, 0)
