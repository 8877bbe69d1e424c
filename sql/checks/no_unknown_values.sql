-- table: activities
-- promise: No code or field was first seen within the last week.
-- remedy: look in sync.unknown_values; add a label to analytics.codes if the code is valid
--
-- Codes and fields first seen within the last week.
select kind || ' ' || value
from sync.unknown_values
where first_seen_at > now() - interval '7 days'
order by first_seen_at desc
