-- table: activities
-- promise: No code or field is new within the last week, and no member was taken for null then. The first day has no news.
-- remedy: look in sync.unknown_values; add a label to analytics.codes if the code is valid
--
-- Codes and fields first seen within the last week. What was read in another form warns nobody. Neither does what came
-- within a day of the first run, because the service has always been so. A lost member always warns.
select kind || ' ' || value
from sync.unknown_values
where first_seen_at > now() - interval '7 days'
    and kind <> 'form'
    and (kind = 'lost form' or exists (select from sync.runs where started_at < first_seen_at - interval '1 day'))
order by first_seen_at desc
