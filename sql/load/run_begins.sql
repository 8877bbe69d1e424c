-- A run begins, or starts over under its old id.
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
