-- table: activities
-- promise: No code or field was first seen within the last week, and no member was taken for null then.
-- remedy: look in sync.unknown_values; add a label to analytics.codes if the code is valid
--
-- Codes and fields first seen within the last week. What was read in another form warns nobody.
select kind || ' ' || value
from sync.unknown_values
where first_seen_at > now() - interval '7 days' and kind <> 'form'
order by first_seen_at desc
