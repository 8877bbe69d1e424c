-- Which of these references can't be given: requests have them (given), or texts of open requests hold them by chance.
select asked.name, request_with.id is not null as given
from unnest(%(names)s::text[]) as asked (name)
left join warehouse.authorization_requests as request_with on request_with.message_reference = asked.name
where request_with.id is not null
    or exists (
        select
        from warehouse.authorization_requests as request
        where request.state in ('queued', 'sending', 'sent', 'unknown')
            and strpos(regexp_replace(upper(request.description), '[^[:alnum:]]', '', 'g'), asked.name) > 0
    )
