-- What the sender has to do: requests to send, of all or of some, open calls to settle now, and how many calls began on this
-- day of a zone.
select
    count(*) filter (
        where request.state = 'queued' and (%(only)s::uuid[] is null or request.id = any(%(only)s::uuid[]))
    ) as to_send,
    count(*) filter (where request.state = 'sending' or request.next_look_at <= now()) as to_settle,
    (
        select count(*)
        from warehouse.authorization_requests as sent
        where sent.sent_at >= date_trunc('day', %(now)s::timestamptz, %(zone)s)
    ) as calls
from warehouse.authorization_requests as request
where request.state in ('queued', 'sending', 'sent', 'unknown')
