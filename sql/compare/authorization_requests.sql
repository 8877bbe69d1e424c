-- Each authorization request with a digest of its row. Its day is that of requested_at in UTC.
select
    id::text as id,
    (requested_at at time zone 'UTC')::date as day,
    hash_record_extended(request, 0) as digest
from warehouse.authorization_requests as request
