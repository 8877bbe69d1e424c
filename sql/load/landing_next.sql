-- The next activities of landing by id: as many as the limit of bytes allows, at least one. PostgreSQL
-- knows a body's length without reading it.
with following as (
    select activity_id
    from (
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
    ) as both_kinds
    order by activity_id
    limit %(limit)s
),

sized as (
    select
        following.activity_id,
        (
            select coalesce(sum(octet_length(details.body)), 0)
            from landing.activity_details as details
            where details.activity_id = following.activity_id
        ) + (
            select coalesce(sum(octet_length(listed.body)), 0)
            from landing.activity_list_rows as listed
            where listed.activity_id = following.activity_id
        ) as bytes
    from following
)

select activity_id::text
from (
    select activity_id, sum(bytes) over (order by activity_id) - bytes as before_it from sized
) as running
where before_it < %(bytes)s
order by activity_id
