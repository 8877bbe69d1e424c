-- A run begins, or starts over under its old id.
insert into sync.runs (run_id, kind, window_from, window_to, started_at)
values (%(run_id)s, %(kind)s, %(window_from)s, %(window_to)s, now())
on conflict (run_id) do update set
    started_at = now(),
    finished_at = null,
    status = 'running',
    error = null
