-- Makes sync.schema_migrations, the record of applied files. It runs before every migration, and changes
-- nothing when the table is there.
do $$
begin
    if to_regnamespace('sync') is null then
        create schema sync;
    end if;
    if to_regclass('sync.schema_migrations') is null then
        create table sync.schema_migrations (
            name text primary key,
            applied_at timestamptz not null default now(),
            digest text
        );
    end if;
    -- No `if not exists`: that would wait for whoever reads the table, before every run.
    if not exists (
        select from pg_attribute
        where attrelid = 'sync.schema_migrations'::regclass and attname = 'package_version'
    ) then
        alter table sync.schema_migrations add column package_version text;
    end if;
end
$$;
