-- depends: 0040_kept
-- The keys of stored views were unique indexes, which tools don't list. They become constraints: a primary
-- key, or unique where a column of the key can be null. New stored views have theirs in sql/views.
do $$
declare
    key record;
begin
    for key in
        select
            class.oid::regclass as view,
            index.relname as name,
            case when class.relname = 'counterpart_activity' then 'primary key' else 'unique' end as kind
        from sync.view_versions as version
        inner join pg_class as class
            on class.relname = version.name and class.relnamespace = 'analytics'::regnamespace
        inner join pg_index on pg_index.indrelid = class.oid and pg_index.indisunique
        inner join pg_class as index on index.oid = pg_index.indexrelid
        where index.relname = class.relname || '_key'
    loop
        execute format(
            'alter table %s add constraint %I %s using index %I', key.view, key.name, key.kind, key.name
        );
    end loop;
end
$$;
