-- What a refused details request says of an activity: what the list has of it (the sharing period is over), or when the
-- activity was found gone. The list wins in status and counterpart, and fills what is missing. What says the same
-- already is not written.
update warehouse.activities as stored set
    status = coalesce(refused.status, stored.status),
    entity_id = coalesce(refused.entity_id, stored.entity_id),
    type = coalesce(stored.type, refused.type),
    in_out_bound = coalesce(stored.in_out_bound, refused.in_out_bound),
    time_zone = coalesce(stored.time_zone, refused.time_zone),
    created_at = coalesce(stored.created_at, refused.created_at),
    gone_at = refused.gone_at
from unnest(
        %(ids)s::uuid[], %(gone)s::timestamptz[], %(type)s::text[], %(in_out_bound)s::text[], %(entity_id)s::uuid[],
        %(status)s::text[], %(time_zone)s::text[], %(created_at)s::timestamptz[]
    ) as refused (id, gone_at, type, in_out_bound, entity_id, status, time_zone, created_at)
where stored.id = refused.id
    and (
        stored.status, stored.entity_id, stored.type, stored.in_out_bound, stored.time_zone, stored.created_at,
        stored.gone_at
    ) is distinct from (
        coalesce(refused.status, stored.status), coalesce(refused.entity_id, stored.entity_id),
        coalesce(stored.type, refused.type), coalesce(stored.in_out_bound, refused.in_out_bound),
        coalesce(stored.time_zone, refused.time_zone), coalesce(stored.created_at, refused.created_at),
        refused.gone_at
    )
