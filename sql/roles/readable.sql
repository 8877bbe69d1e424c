-- The views of analytics, stored or not, that the current role can read.
select relname
from pg_class
where
    relnamespace = 'analytics'::regnamespace
    and relkind in ('r', 'v')
    and has_table_privilege(oid, 'select')
order by relname
