-- Codes and fields first seen within the last week.
select kind || ' ' || value
from sync.unknown_values
where first_seen_at > now() - interval '7 days'
order by first_seen_at desc
