-- The next activities of landing by id: as many as the limit of bytes allows, at least one. PostgreSQL
-- knows a body's length without reading it.
with following as (
    (
        select distinct activity_id
        from landing.activity_details
        where activity_id >= coalesce(%(after)s::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
            and activity_id is distinct from %(after)s::uuid
        order by activity_id
        limit %(limit)s
    )
    union
    (
        select distinct activity_id
        from landing.activity_list_rows
        where activity_id >= coalesce(%(after)s::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
            and activity_id is distinct from %(after)s::uuid
        order by activity_id
        limit %(limit)s
    )
    order by activity_id
    limit %(limit)s
)

select activity_id::text
from (
    select
        following.activity_id,
        sum(sum(stored.bytes)) over (order by following.activity_id) - sum(stored.bytes) as before_it
    from following
    cross join lateral (
        select octet_length(body) as bytes from landing.activity_details where activity_id = following.activity_id
        union all
        select octet_length(body) from landing.activity_list_rows where activity_id = following.activity_id
    ) as stored
    group by following.activity_id
) as running
where before_it < %(bytes)s
order by activity_id
