-- Makes sync.schema_migrations, the record of applied files. It runs before every migration, and changes
-- nothing when the table is there. Older versions used a tool named yoyo, which kept the record with
-- other columns: this file keeps the rows, changes the columns and drops the tool's own tables.
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
    elsif exists (
        select from pg_attribute
        where attrelid = to_regclass('sync.schema_migrations') and attname = 'migration_id'
    ) then
        alter table sync.schema_migrations drop column migration_hash;
        alter table sync.schema_migrations rename column migration_id to name;
        alter table sync.schema_migrations rename column applied_at_utc to applied_at;
        alter table sync.schema_migrations
            alter column name type text,
            alter column applied_at type timestamptz using applied_at at time zone 'UTC',
            alter column applied_at set default now(),
            alter column applied_at set not null,
            add column digest text,
            add primary key (name);
        drop table if exists sync._yoyo_log, sync._yoyo_version, sync.yoyo_lock;
    end if;
end
$$;
