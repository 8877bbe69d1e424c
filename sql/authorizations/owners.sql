-- The numbers that counterparts are known by, from the requests that are linked to their activities.
select
    request.counterpart_id,
    array_agg(distinct request.phone_number)
from warehouse.authorization_requests as request
where request.counterpart_id = any(%(counterparts)s)
group by request.counterpart_id
