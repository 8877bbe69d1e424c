-- As altered.sql, for some days, by the indexes; and all activities without a ledger row: a load could not
-- insert them.
select altered.activity_id::text, altered.day
from sync.altered_activities(%(days)s::date[]) as altered
union all
select stored.id::text, null
from warehouse.activities as stored
where not exists (select from sync.activity_ledger as known where known.activity_id = stored.id)
