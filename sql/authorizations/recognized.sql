-- Ids of the newest requests whose activity was recognised, of calls by the same clocks as some, within a day.
select proof.id
from warehouse.authorization_requests as proof
where proof.recognized is not null
    and exists (
        select
        from warehouse.authorization_requests as request
        where request.id = any(%(ids)s::uuid[])
            and request.clock_offset = proof.clock_offset
            and proof.sent_at between request.sent_at - interval '1 day' and request.sent_at + interval '1 day'
    )
order by proof.sent_at desc
limit 500
