-- Erasures
select 'profile' as what, null as activity_id, 'request' as reason, erased_at, null::bigint as "values"
from sync.erased_entities
where entity_id = %(entity)s::uuid
union all
select 'number', null, 'request', erased_at, null
from sync.erased_phones
where digest in (select sync.phone_digest(spelled) from unnest(%(numbers)s::text[]) as spelled)
union all
select 'activity', log.activity_id::text, log.reason, log.erased_at, log."values"
from sync.erasures as log
inner join warehouse.activities as activity on activity.id = log.activity_id
where activity.entity_id = %(entity)s::uuid
order by erased_at, activity_id
