-- What is known of numbers: whether they were asked in the last days, and whether their owner's data were erased.
select
    given.phone_number,
    coalesce(
        bool_or(
            request.state not in ('rejected', 'failed')
            and greatest(request.requested_at, request.sent_at) > now() - %(days)s * interval '1 day'
        ),
        false
    ) as asked,
    sync.is_erased_phone('', given.phone_number) as erased
from unnest(%(numbers)s::text[]) as given (phone_number)
left join warehouse.authorization_requests as request on request.phone_number = given.phone_number
group by given.phone_number
