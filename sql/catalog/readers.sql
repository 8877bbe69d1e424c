-- Views of others that read a relation of analytics, with statements that point them to what has its name then.
select
    reader.oid::regclass::text,
    format(
        'create or replace view %%s %%s as %%s',
        reader.oid::regclass,
        coalesce('with (' || array_to_string(reader.reloptions, ', ') || ')', ''),
        pg_get_viewdef(reader.oid)
    )
from pg_class as reader
where reader.relkind = 'v'
    and not (reader.relnamespace = 'analytics'::regnamespace and reader.relname = any(%(ours)s))
    and exists (
        select
        from pg_depend as dependency
        inner join pg_rewrite as rule on rule.oid = dependency.objid
        where rule.ev_class = reader.oid
            and dependency.refobjid = to_regclass(format('analytics.%%I', %(name)s::text))
    )
