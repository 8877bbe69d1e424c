-- table: activities
-- promise: The newest complete day is no older than two days.
-- remedy: run the nightly job (pipeline sync); analytics.freshness shows where coverage ends
--
-- The newest complete day, when it is too old.
select max(day)::text
from sync.coverage
where incomplete is null
having max(day) < current_date - 2
