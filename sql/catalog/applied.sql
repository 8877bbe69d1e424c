-- The files that were applied, each with the digest of its text; migrations have none.
select name, digest
from sync.schema_migrations
order by name
