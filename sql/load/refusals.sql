-- What a refused details request says of an activity: what the list has of it (the sharing period is over),
-- or when the activity was found gone. The list wins in status and counterpart, and fills what is missing.
-- What says the same already is not written.
update warehouse.activities as stored set
    status = shown.status,
    entity_id = shown.entity_id,
    type = shown.type,
    in_out_bound = shown.in_out_bound,
    time_zone = shown.time_zone,
    created_at = shown.created_at,
    gone_at = shown.gone_at
from (
    select
        before.id,
        coalesce(refused.status, before.status) as status,
        coalesce(known.id, before.entity_id) as entity_id,
        coalesce(before.type, refused.type) as type,
        coalesce(before.in_out_bound, refused.in_out_bound) as in_out_bound,
        coalesce(before.time_zone, refused.time_zone) as time_zone,
        coalesce(before.created_at, refused.created_at) as created_at,
        refused.gone_at
    from unnest(
        %(ids)s::uuid[], %(gone)s::timestamptz[], %(status)s::text[], %(entity_id)s::uuid[],
        %(type)s::text[], %(in_out_bound)s::text[], %(time_zone)s::text[], %(created_at)s::timestamptz[]
    ) as refused (id, gone_at, status, entity_id, type, in_out_bound, time_zone, created_at)
    inner join warehouse.activities as before on before.id = refused.id
    left join warehouse.entities as known on known.id = refused.entity_id
) as shown
where stored.id = shown.id
    and (
        stored.status, stored.entity_id, stored.type, stored.in_out_bound, stored.time_zone,
        stored.created_at, stored.gone_at
    ) is distinct from (
        shown.status, shown.entity_id, shown.type, shown.in_out_bound, shown.time_zone,
        shown.created_at, shown.gone_at
    )
