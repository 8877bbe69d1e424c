-- What another database has otherwise, and this one after a restore: its number, that of this table, which a dump
-- does not keep, and the timeline, which changes after recovery to a point in time and after failing over.
select
    format(
        '%s/%s/%s',
        (select oid from pg_database where datname = current_database()),
        'sync.service_facts'::regclass::oid,
        left(pg_walfile_name(pg_current_wal_lsn()), 8)
    )
