-- Entries in quarantine by reason. A reason has no values; the activity's id is cut out here.
select
    source,
    regexp_replace(
        reason, '^(details of activity |activity )?[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}:? ?|\s*\(\d+ bytes\)', '', 'g'
    ) as reason,
    count(*) as entries,
    (min(first_seen_at) at time zone (select time_zone from sync.calendar))::date as since,
    max(attempts) as attempts
from sync.quarantine
where resolved_at is null
group by 1, 2
order by 3 desc, 2, 1
