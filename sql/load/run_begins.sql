-- A run begins, or starts over under its old id. Others that recorded no end, and whose process no longer holds its
-- lock, have failed.
with running as materialized (
    select run_id
    from sync.runs
    where status = 'running' and run_id <> %(run_id)s
),

dead as materialized (
    select run_id
    from running
    where pg_try_advisory_xact_lock(hashtextextended(run_id, %(locks)s))
),

ended as (
    update sync.runs as run set
        status = 'failed',
        finished_at = now(),
        error = 'it was killed, or lost the warehouse before it could record its end;'
        || ' what it had committed is kept, and later runs went on from there'
    from dead
    where run.run_id = dead.run_id and run.status = 'running'
),

-- What it found under its old id does not count.
sampled_before as (
    delete from sync.verifications where run_id = %(run_id)s
)

insert into sync.runs (
    run_id, kind, window_from, window_to, started_at, package_version, schema_version
)
select
    %(run_id)s, %(kind)s, %(window_from)s, %(window_to)s, now(), %(package_version)s, max(name)
from sync.schema_migrations
where digest is null
on conflict (run_id) do update set
    started_at = now(),
    finished_at = null,
    status = 'running',
    error = null,
    package_version = excluded.package_version,
    schema_version = excluded.schema_version
