-- Id of the request whose call began last.
select newest.id
from warehouse.authorization_requests as newest
where newest.clock_offset is not null
order by newest.sent_at desc nulls last
limit 1
