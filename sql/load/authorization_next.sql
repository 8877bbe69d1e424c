-- The next requests to send. A message that an unsettled call carries waits: two calls with the same
-- message whose outcome is open could not be told apart. Spaces make no other message.
with held as materialized (
    select distinct regexp_replace(btrim(open_call.description), '\s+', ' ', 'g') as message
    from warehouse.authorization_requests as open_call
    where (open_call.state = 'unknown' and open_call.next_look_at is not null)
        or (open_call.state = 'sent' and open_call.answered_at > %(quiet_since)s)
)

select request.id::text
from warehouse.authorization_requests as request
where request.state = 'queued'
    and regexp_replace(btrim(request.description), '\s+', ' ', 'g') not in (select message from held)
order by request.requested_at, request.id
limit %(limit)s
