-- The number of activities by day and status.
select ledger.day, coalesce(activity.status, '(none)'), count(*)
from sync.activity_ledger as ledger
inner join warehouse.activities as activity on activity.id = ledger.activity_id
where ledger.day between %(first)s and %(last)s
group by 1, 2
