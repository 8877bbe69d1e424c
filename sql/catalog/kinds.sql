-- What there is in analytics, ours or not.
select relname, relkind::text
from pg_class
where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')
