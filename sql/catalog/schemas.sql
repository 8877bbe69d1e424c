-- The documented schemas.
select nspname, coalesce(obj_description(oid, 'pg_namespace'), '')
from pg_namespace
where nspname = any(%(schemas)s)
order by array_position(%(schemas)s::text[], nspname::text)
