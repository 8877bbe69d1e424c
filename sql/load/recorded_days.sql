-- The stored day of list rows whose creation can't be read: each counts once, on that day.
select subject, day
from sync.quarantine
where resolved_at is null and day is not null and subject = any(%(subjects)s)
union all
select activity_id::text, day
from sync.activity_ledger
where day is not null and activity_id = any(%(subjects)s::uuid[])
