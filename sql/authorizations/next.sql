-- Ids of the next requests to send. A message waits while a call with it is open: two open calls with the
-- same message could not be told apart. Messages that differ only in spaces are the same.
with held as materialized (
    select distinct regexp_replace(btrim(open_call.description), '\s+', ' ', 'g') as message
    from warehouse.authorization_requests as open_call
    where (open_call.state = 'unknown' and open_call.next_look_at is not null)
        or (open_call.state = 'sent' and open_call.answered_at > %(quiet_since)s)
)

select queued.id
from warehouse.authorization_requests as queued
where queued.state = 'queued'
    and regexp_replace(btrim(queued.description), '\s+', ' ', 'g') not in (select message from held)
order by queued.requested_at, queued.id
limit %(limit)s
