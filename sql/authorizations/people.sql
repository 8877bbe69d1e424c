-- What is known of numbers: whether they were asked in the last days, and whether their owner's data were erased.
select
    request.phone_number,
    bool_or(
        request.state not in ('rejected', 'failed')
        and greatest(request.requested_at, request.sent_at) > now() - %(days)s * interval '1 day'
    ) as asked,
    bool_or(erased.entity_id is not null) as erased
from warehouse.authorization_requests as request
left join sync.erased_entities as erased on erased.entity_id::text = request.counterpart_id
where request.phone_number = any(%(numbers)s)
group by request.phone_number
