-- What a refused details request says of an activity: status and counterpart that the list has of it (the sharing
-- period is over), or when the activity was found gone. What says the same already is not written.
update warehouse.activities as stored set
    status = coalesce(refused.status, stored.status),
    entity_id = coalesce(refused.entity_id, stored.entity_id),
    gone_at = refused.gone_at
from unnest(%(ids)s::uuid[], %(gone)s::timestamptz[], %(status)s::text[], %(entity_id)s::uuid[])
    as refused (id, gone_at, status, entity_id)
where stored.id = refused.id
    and (stored.status, stored.entity_id, stored.gone_at) is distinct from (
        coalesce(refused.status, stored.status), coalesce(refused.entity_id, stored.entity_id), refused.gone_at
    )
