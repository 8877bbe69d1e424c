-- table: activities
-- promise: The newest complete day is no older than two days.
-- remedy: run the nightly job (pipeline sync); analytics.freshness shows where coverage ends
--
-- The newest complete day, when it is too old. All days are read only if none of the newest is complete.
select max(day)::text
from sync.coverage
where incomplete is null
    and not exists (
        select from sync.coverage_of(current_date - 2, 'infinity') as newest where newest.incomplete is null
    )
having max(day) is not null
