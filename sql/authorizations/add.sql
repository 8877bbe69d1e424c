-- Queue the requests of a file, in its order. A stored request with the same reference or digest stays as it is. Who was
-- asked lately is refused by the trigger: such a row is failed.
insert into warehouse.authorization_requests (
    reference, description, phone_country_code, phone_number,
    validity_time_unit, validity_amount, requirements, source, digest, message_reference, subscriber, requested_at
)
select
    given.reference,
    given.description,
    given.phone_country_code,
    given.phone_number,
    given.validity_time_unit,
    given.validity_amount,
    given.requirements,
    given.source,
    decode(given.digest, 'hex'),
    given.message_reference,
    given.subscriber,
    -- One microsecond apart: requests are sent by requested_at, so they keep the order of the file.
    now() + given.position * interval '1 microsecond'
from rows from (
    jsonb_to_recordset(%(requests)s) as (
        reference text,
        description text,
        phone_country_code text,
        phone_number text,
        validity_time_unit text,
        validity_amount numeric,
        requirements jsonb,
        source text,
        digest text,
        message_reference text,
        subscriber text
    )
) with ordinality as given (
    reference, description, phone_country_code, phone_number,
    validity_time_unit, validity_amount, requirements, source, digest, message_reference, subscriber, position
)
on conflict do nothing
returning id::text, coalesce(reference, encode(digest, 'hex')) as key, state, state_reason
