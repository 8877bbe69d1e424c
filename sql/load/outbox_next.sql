-- The next requests to send. A message that an unsettled call carries waits: two calls with the same
-- message whose outcome is open could not be told apart. Spaces make no other message.
select request.id::text
from warehouse.authorization_requests as request
where request.state = 'queued'
    and not exists (
        select from warehouse.authorization_requests as other
        where regexp_replace(btrim(other.description), '\s+', ' ', 'g')
                = regexp_replace(btrim(request.description), '\s+', ' ', 'g')
            and (
                (other.state = 'unknown' and other.next_look_at is not null)
                or (other.state = 'sent' and other.answered_at > %(quiet_since)s)
            )
    )
order by request.requested_at, request.id
limit %(limit)s
