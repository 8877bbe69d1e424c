-- Tables and views of the documented schemas.
select
    namespace.nspname,
    relation.relname,
    case
        when relation.relkind = 'v' then 'view'
        when namespace.nspname = 'analytics'
            and relation.relname in (select name from sync.view_versions)
            then 'stored view'
        else 'table'
    end,
    coalesce(obj_description(relation.oid, 'pg_class'), '')
from pg_class as relation
inner join pg_namespace as namespace on namespace.oid = relation.relnamespace
where namespace.nspname = any(%(schemas)s)
    and relation.relkind in ('r', 'p', 'v')
order by array_position(%(schemas)s::text[], namespace.nspname::text), relation.relname
