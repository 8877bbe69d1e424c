-- Values that can be read now
select
    shared.activity_id::text as activity_id,
    shared.requirement_code,
    shared.item_code,
    shared.value,
    shared.expires_at
from analytics.shared_values as shared
where shared.entity_id = %(entity)s::uuid
order by shared.activity_id, shared.requirement_position, shared.item_position
