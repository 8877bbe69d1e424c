-- The seconds that the sender of the newest call added to its clock.
select newest.clock_offset
from warehouse.authorization_requests as newest
where newest.clock_offset is not null
order by newest.sent_at desc nulls last
limit 1
