-- A warehouse that stood at 0088: what no view reads any more.
drop view sync.coverage_of_0088;
alter table warehouse.authorization_requests drop column clock_offset, drop column recognized;
alter table sync.refresh_queue drop column day;

-- From PostgreSQL 18 on, `not null` has a name, which a renamed table keeps.
do $$
declare
    named record;
begin
    for named in
        select
            held.conrelid::regclass as relation,
            held.conname as name,
            format('%s_%s_not_null', relation.relname, kept.attname) as usual
        from pg_constraint as held
        inner join pg_class as relation on relation.oid = held.conrelid
        inner join pg_attribute as kept on kept.attrelid = held.conrelid and kept.attnum = held.conkey[1]
        where held.contype = 'n'
            and relation.relnamespace in (
                'warehouse'::regnamespace, 'sync'::regnamespace, 'landing'::regnamespace, 'analytics'::regnamespace
            )
            and held.conname <> format('%s_%s_not_null', relation.relname, kept.attname)
    loop
        execute format('alter table %s rename constraint %I to %I', named.relation, named.name, named.usual);
    end loop;
end
$$;
