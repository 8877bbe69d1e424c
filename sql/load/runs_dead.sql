-- Mark runs as failed that recorded no end and whose process no longer holds its lock.
with running as materialized (
    select run_id
    from sync.runs
    where status = 'running' and run_id <> %(run_id)s
),

dead as materialized (
    select run_id
    from running
    where pg_try_advisory_xact_lock(hashtextextended(run_id, %(locks)s))
)

update sync.runs as run set
    status = 'failed',
    finished_at = now(),
    error = 'it was killed, or lost the warehouse before it could record its end;'
    || ' what it had committed is kept, and later runs went on from there'
from dead
where run.run_id = dead.run_id and run.status = 'running'
