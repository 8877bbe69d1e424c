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
end
$$;
