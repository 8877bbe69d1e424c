-- Ids of the next requests to send, of all that are queued or of some.
select queued.id
from warehouse.authorization_requests as queued
where queued.state = 'queued'
    and (%(only)s::uuid[] is null or queued.id = any(%(only)s::uuid[]))
    and not queued.id = any(%(refused)s::uuid[])
order by queued.requested_at, queued.id
limit %(limit)s
