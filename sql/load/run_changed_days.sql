-- The days of the activities that a run changed. The id is cast on this side, so that the ledger is read
-- by its key. Of quarantined rows it may be no UUID.
select distinct ledger.day
from sync.run_changes as changes
inner join sync.activity_ledger as ledger
    on ledger.activity_id = case
        when changes.change in ('new', 'changed', 'gone', 'returned')
            then changes.activity_id::uuid
    end
where changes.run_id = %(run_id)s and ledger.day is not null
