-- What the sender has to do: requests to send, open calls to settle now, and how many calls began since a moment.
select
    count(*) filter (where request.state = 'queued') as to_send,
    count(*) filter (where request.state = 'sending' or request.next_look_at <= now()) as to_settle,
    (
        select count(*)
        from warehouse.authorization_requests as sent
        where sent.sent_at >= %(since)s
    ) as calls
from warehouse.authorization_requests as request
where request.state in ('queued', 'sending', 'sent', 'unknown')
