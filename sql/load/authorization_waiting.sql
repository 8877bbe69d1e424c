-- What there is to do for the sender: requests to send, and calls whose activity is to be looked for.
-- A request waits while another with the same message is not settled, as in outbox_next.
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
    count(*) filter (where request.state = 'sending' or request.next_look_at <= now()) as to_look_for
from warehouse.authorization_requests as request
where request.state in ('queued', 'sending', 'sent', 'unknown')
