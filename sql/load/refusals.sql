-- What a refused details request says of an activity: its status as the list has it (the sharing period
-- is over), or when the activity was found gone. What says the same already is not written.
update warehouse.activities as stored set
    status = coalesce(refused.status, stored.status),
    gone_at = refused.gone_at
from unnest(%(ids)s::uuid[], %(statuses)s::text[], %(gone)s::timestamptz[]) as refused (id, status, gone_at)
where stored.id = refused.id
    and (stored.status, stored.gone_at)
    is distinct from (coalesce(refused.status, stored.status), refused.gone_at)
