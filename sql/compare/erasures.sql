-- What was erased: activities by reason, counterparts, phone numbers by digest. A copy without these lets it back in.
select
    activity_id::text || ' ' || reason as id,
    (erased_at at time zone 'UTC')::date as day,
    hash_record_extended(erased, 0) as digest
from sync.erasures as erased
union all
select entity_id::text, (erased_at at time zone 'UTC')::date, hash_record_extended(known, 0)
from sync.erased_entities as known
union all
select encode(phone.digest, 'hex'), (erased_at at time zone 'UTC')::date, hash_record_extended(phone, 0)
from sync.erased_phones as phone
