-- table: activities
-- promise: The newest complete day is no older than two days.
-- remedy: run the nightly job (pipeline sync); analytics.freshness shows where coverage ends
--
-- The newest complete day, when it is too old.
select max(day)::text
from sync.coverage
where verified_at is not null and unverified is null and listed = stored + quarantined
having max(day) < current_date - 2
