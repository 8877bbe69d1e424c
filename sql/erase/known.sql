-- What of a batch was erased before, so that it is kept out, and what happens to values that expired.
select 'policy' as kind, expired_values as name, null as reason
from sync.privacy
union all
select 'activity', activity_id::text, reason
from sync.erasures
where activity_id = any(%(activities)s::uuid[])
union all
select 'entity', entity_id::text, case when messages then 'messages' else 'request' end
from sync.erased_entities
where %(all_entities)s or entity_id = any(%(entities)s::uuid[])
