-- Columns in order: type, whether part of the primary key, and the table that a foreign key refers to.
select
    namespace.nspname,
    relation.relname,
    attribute.attname,
    format_type(attribute.atttypid, attribute.atttypmod),
    exists (
        select from pg_constraint as key
        where key.conrelid = relation.oid
            and key.contype = 'p'
            and attribute.attnum = any(key.conkey)
    ),
    (
        select format('%%s.%%s', target_schema.nspname, target.relname)
        from pg_constraint as reference
        inner join pg_class as target on target.oid = reference.confrelid
        inner join pg_namespace as target_schema on target_schema.oid = target.relnamespace
        where reference.conrelid = relation.oid
            and reference.contype = 'f'
            and reference.conkey = array[attribute.attnum]
        order by reference.conname
        limit 1
    ),
    coalesce(col_description(relation.oid, attribute.attnum), '')
from pg_class as relation
inner join pg_namespace as namespace on namespace.oid = relation.relnamespace
inner join pg_attribute as attribute
    on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
where namespace.nspname = any(%(schemas)s) and relation.relkind in ('r', 'p', 'v')
order by namespace.nspname, relation.relname, attribute.attnum
