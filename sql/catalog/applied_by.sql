-- The version that applied a file; null: one that did not record it.
select to_jsonb(record) ->> 'package_version' from sync.schema_migrations as record where name = %s
