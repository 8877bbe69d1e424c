-- The indexes of a table that no constraint needs, and what creates each.
select index_class.relname::text, pg_get_indexdef(index.indexrelid)
from pg_index as index
inner join pg_class as index_class on index_class.oid = index.indexrelid
where index.indrelid = %s::regclass
    and not exists (select from pg_constraint where conindid = index.indexrelid)
