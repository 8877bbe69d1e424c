-- All columns of the documented schemas, with what is said of their relations. The other files of this folder
-- read it as `columns`.
select
    namespace.nspname::text as schema,
    relation.relname::text as relation,
    case
        when relation.relkind = 'v' then 'view'
        when namespace.nspname = 'analytics'
            and relation.relname in (select view.name from sync.view_versions as view)
            then 'stored view'
        else 'table'
    end as kind,
    coalesce(obj_description(relation.oid, 'pg_class'), '') as relation_comment,
    attribute.attnum as number,
    attribute.attname::text as name,
    format_type(attribute.atttypid, attribute.atttypmod) as type,
    coalesce(attribute.attnum = any(own.conkey), false) as is_key,
    coalesce(own.conkey = array[attribute.attnum], false) as is_whole_key,
    reference.target_schema,
    reference.target,
    reference.target_key,
    coalesce(col_description(relation.oid, attribute.attnum), '') as comment
from pg_class as relation
inner join pg_namespace as namespace on namespace.oid = relation.relnamespace
inner join pg_attribute as attribute
    on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
left join pg_constraint as own on own.conrelid = relation.oid and own.contype = 'p'
left join lateral (
    select
        target_namespace.nspname::text as target_schema,
        target.relname::text as target,
        target_key.attname::text as target_key
    from pg_constraint as foreign_key
    inner join pg_class as target on target.oid = foreign_key.confrelid
    inner join pg_namespace as target_namespace on target_namespace.oid = target.relnamespace
    inner join pg_attribute as target_key
        on target_key.attrelid = target.oid and foreign_key.confkey = array[target_key.attnum]
    where foreign_key.conrelid = relation.oid
        and foreign_key.contype = 'f'
        and foreign_key.conkey = array[attribute.attnum]
    order by foreign_key.conname
    limit 1
) as reference on true
where namespace.nspname = any(%(schemas)s) and relation.relkind in ('r', 'p', 'v')
