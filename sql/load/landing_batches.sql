-- Activities in batches, in the order given. The sizes are known without reading the bodies.
with sized as (
    select
        asked.id, asked.place,
        coalesce((
            select sum(octet_length(body)) from landing.activity_details where activity_id = asked.id
        ), 0)
        + coalesce((
            select sum(octet_length(body)) from landing.activity_list_rows where activity_id = asked.id
        ), 0) as bytes
    from unnest(%(ids)s::uuid[]) with ordinality as asked (id, place)
),

placed as (
    select id, place, floor((sum(bytes) over (order by place) - bytes) / %(most)s) as part
    from sized
)

select array_agg(id::text order by place)
from placed
group by part
order by part
