-- Responses in quarantine
select
    entry.id, entry.source, entry.activity_id, entry.reason, entry.first_seen_at, entry.resolved_at,
    length(entry.payload) as bytes,
    landing.read_json(entry.payload) as body
from sync.quarantine as entry
where landing.mentions(entry.payload, %(entity)s::uuid)
    or entry.activity_id in (
        select activity.id::text from warehouse.activities as activity where activity.entity_id = %(entity)s::uuid
    )
order by entry.id
