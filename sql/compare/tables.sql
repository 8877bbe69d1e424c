-- One digest for each table in which one of some activities or counterparts has rows.
select 'warehouse.activities' as place, id::text as id, hash_record_extended(held, 0) as digest
from warehouse.activities as held
where id = any(%(ids)s::uuid[])
union all
select 'warehouse.requirements', activity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.requirements as held
where activity_id = any(%(ids)s::uuid[])
group by activity_id
union all
select 'warehouse.requirement_items', activity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.requirement_items as held
where activity_id = any(%(ids)s::uuid[])
group by activity_id
union all
select 'warehouse.accepted_items', activity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.accepted_items as held
where activity_id = any(%(ids)s::uuid[])
group by activity_id
union all
select 'warehouse.timeline_events', activity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.timeline_events as held
where activity_id = any(%(ids)s::uuid[])
group by activity_id
union all
select 'warehouse.entities', id::text, hash_record_extended(held, 0)
from warehouse.entities as held
where id = any(%(ids)s::uuid[])
union all
select 'warehouse.entity_social_media', entity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.entity_social_media as held
where entity_id = any(%(ids)s::uuid[])
group by entity_id
union all
select 'warehouse.entity_scores', entity_id::text, bit_xor(hash_record_extended(held, 0))
from warehouse.entity_scores as held
where entity_id = any(%(ids)s::uuid[])
group by entity_id
union all
select 'landing.activity_details', newest.activity_id::text, newest.digest
from (
    select distinct on (activity_id) activity_id, hash_record_extended(row(digest, body), 0) as digest
    from landing.activity_details
    where activity_id = any(%(ids)s::uuid[])
    order by activity_id, first_seen_at desc
) as newest
union all
select 'landing.activity_list_rows', newest.activity_id::text, newest.digest
from (
    select distinct on (activity_id) activity_id, hash_record_extended(row(digest, body), 0) as digest
    from landing.activity_list_rows
    where activity_id = any(%(ids)s::uuid[])
    order by activity_id, first_seen_at desc
) as newest
