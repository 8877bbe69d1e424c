-- How many activities have lost or rewritten something and are not settled, if these are more than 20 and more
-- than a twentieth of the answers since an instant (null: since the newest run began); else 0.
select case when lost.number > 20 and 20 * lost.number > (
    select count(*)
    from sync.activity_ledger
    where details is not null
        and checked_at >= coalesce(%(since)s::timestamptz, (select max(started_at) from sync.runs))
) then lost.number else 0 end
from (
    select count(*) as number
    from sync.activity_ledger
    where discrepancy is not null and discrepancy_settled_at is null and discrepancy ~ '(^|; )(lost|rewrote) '
) as lost
