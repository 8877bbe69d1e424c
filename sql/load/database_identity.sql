-- What another database has otherwise, and this one after a restore: its number, that of this table, which a dump
-- does not keep, the timeline, which changes after recovery to a point in time and after failing over, and the
-- cluster's own number: in new clusters a restore gives the same numbers each time.
select
    format(
        '%s/%s/%s/%s',
        (select oid from pg_database where datname = current_database()),
        'sync.service_facts'::regclass::oid,
        left(pg_walfile_name(pg_current_wal_lsn()), 8),
        (select system_identifier from pg_control_system())
    )
