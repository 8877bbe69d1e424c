-- The files that were applied, each with the digest of its text; migrations have none.
-- A row as JSON: the record of a version that is too old to be read names its columns otherwise.
select coalesce(applied ->> 'name', applied ->> 'migration_id'), applied ->> 'digest'
from (select to_jsonb(record) as applied from sync.schema_migrations as record) as record
order by 1
