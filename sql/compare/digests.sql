-- What two warehouses are compared by: a digest of each activity, counterpart, authorization request, walked day and
-- erasure, with its day if it has one. What somebody altered equals nothing.

-- What each activity means, and what is known of it besides.
select
    'warehouse.activities' as relation,
    activity_id::text as id,
    day,
    case
        when altered then hashtextextended(gen_random_uuid()::text, 0)
        else hash_record_extended(row(activity_id, listed, settled = listed, details, gone_at is null), 0)
    end as digest
from sync.activity_ledger
union all
-- What each counterpart means. They have no day.
select
    'warehouse.entities',
    id::text,
    null,
    case
        when digest = '' then hashtextextended(gen_random_uuid()::text, 0)
        else hash_record_extended(row(id, digest), 0)
    end
from warehouse.entities
union all
select
    'warehouse.authorization_requests',
    id::text,
    (requested_at at time zone 'UTC')::date,
    hash_record_extended(request, 0)
from warehouse.authorization_requests as request
union all
-- What the list of each walked day said.
select 'sync.days', day::text, day, hash_record_extended(known, 0)
from sync.days as known
union all
-- What was erased: activities by reason, counterparts, phone numbers by digest. A copy without these lets it back in.
select
    'sync.erasures',
    activity_id::text || ' ' || reason,
    (erased_at at time zone 'UTC')::date,
    hash_record_extended(erased, 0)
from sync.erasures as erased
union all
select
    'sync.erasures',
    entity_id::text,
    (erased_at at time zone 'UTC')::date,
    hash_record_extended(known, 0)
from sync.erased_entities as known
union all
select
    'sync.erasures',
    encode(phone.digest, 'hex'),
    (erased_at at time zone 'UTC')::date,
    hash_record_extended(phone, 0)
from sync.erased_phones as phone
