-- What there is to do for the sender: requests to send, and calls whose activity is to be looked for.
-- A request waits while another with the same message is not settled, as in outbox_next.
select
    count(*) filter (
        where request.state = 'queued'
            and not exists (
                select from warehouse.authorization_requests as other
                where other.state = 'unknown'
                    and other.next_look_at is not null
                    and regexp_replace(btrim(other.description), '\s+', ' ', 'g')
                    = regexp_replace(btrim(request.description), '\s+', ' ', 'g')
            )
    ) as to_send,
    count(*) filter (where request.state = 'sending' or request.next_look_at <= now()) as to_look_for
from warehouse.authorization_requests as request
where request.state in ('queued', 'sending', 'sent', 'unknown')
