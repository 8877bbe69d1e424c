-- Requests of a file, in its order. What is there already, by reference or by digest, stays as it is.
insert into warehouse.authorization_requests (
    reference, description, phone_country_code, phone_number,
    validity_time_unit, validity_amount, requirements, source, digest, requested_at
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
    -- A microsecond apart, so that they are sent in the order in which they stand.
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
        digest text
    )
) with ordinality as given (
    reference, description, phone_country_code, phone_number,
    validity_time_unit, validity_amount, requirements, source, digest, position
)
on conflict do nothing
