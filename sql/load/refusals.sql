-- What a refused details request says of an activity: its status and counterpart as the list has them (the
-- sharing period is over), or when the activity was found gone. What says the same already is not written.
update warehouse.activities as stored set
    status = coalesce(refused.status, stored.status),
    entity_id = coalesce(known.id, stored.entity_id),
    gone_at = refused.gone_at
from
    unnest(%(ids)s::uuid[], %(statuses)s::text[], %(entities)s::uuid[], %(gone)s::timestamptz[])
    as refused (id, status, entity_id, gone_at)
    left join warehouse.entities as known on known.id = refused.entity_id
where stored.id = refused.id
    and (stored.status, stored.entity_id, stored.gone_at)
    is distinct from (coalesce(refused.status, stored.status), coalesce(known.id, stored.entity_id), refused.gone_at)
