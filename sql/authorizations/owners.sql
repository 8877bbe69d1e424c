-- The numbers that counterparts are known by, from the requests that are linked to their activities.
select distinct
    request.counterpart_id,
    request.phone_number
from warehouse.authorization_requests as request
where request.counterpart_id = any(%(counterparts)s)
