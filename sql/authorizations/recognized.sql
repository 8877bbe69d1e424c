-- Ids of the newest requests whose activity was recognised, of calls timed by some clocks, between two instants.
select proof.id
from warehouse.authorization_requests as proof
where proof.recognized is not null
    and proof.clock_offset = any(%(clocks)s)
    and proof.sent_at between %(since)s and %(until)s
order by proof.sent_at desc
limit 500
