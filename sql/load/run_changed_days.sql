-- How many activities of each day a run found new and changed, from a first to a last day (null: of all days). Days
-- with other changes have a row too.
-- The id is cast on this side, so that the ledger is read by its key. Of quarantined rows it may be no
-- UUID.
select
    ledger.day,
    count(*) filter (where changes.change = 'new'),
    count(*) filter (where changes.change = 'changed')
from sync.run_changes as changes
inner join sync.activity_ledger as ledger
    on ledger.activity_id = case
        when changes.change in ('new', 'changed', 'gone', 'returned')
            then changes.activity_id::uuid
    end
where changes.run_id = %(run_id)s
    and ledger.day between coalesce(%(first)s::date, '-infinity') and coalesce(%(last)s::date, 'infinity')
group by ledger.day
