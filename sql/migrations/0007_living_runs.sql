-- depends: 0006_verifications
-- Runs whose process died are told apart from runs that live: by a lock that dies with the process.
create index runs_running on sync.runs (run_id) where status = 'running';
comment on index sync.runs_running is 'Finds the few runs that may have died without recording their end.';
comment on column sync.runs.finished_at is
'When it ended, or when a later run found it dead; null: running, or dead and no run began since.';
