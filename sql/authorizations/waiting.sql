-- What the sender has to do: requests to send, open calls to settle now, and how many calls began since a moment.
-- A request waits while an unclear call has the same message, as in next.sql.
with held as materialized (
    select distinct regexp_replace(btrim(open_call.description), '\s+', ' ', 'g') as message
    from warehouse.authorization_requests as open_call
    where open_call.state = 'unknown'
        and open_call.next_look_at is not null
)

select
    count(*) filter (
        where request.state = 'queued'
            and regexp_replace(btrim(request.description), '\s+', ' ', 'g')
            not in (select message from held)
    ) as to_send,
    count(*) filter (where request.state = 'sending' or request.next_look_at <= now()) as to_settle,
    (
        select count(*)
        from warehouse.authorization_requests as sent
        where sent.sent_at >= %(since)s
    ) as calls
from warehouse.authorization_requests as request
where request.state in ('queued', 'sending', 'sent', 'unknown')
