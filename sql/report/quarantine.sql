-- Entries in quarantine by reason. A reason has no values; the activity's id is cut out here.
select
    regexp_replace(
        reason, '^(details of activity |activity )?[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}:? ?|\s*\(\d+ bytes\)', '', 'g'
    ) as reason,
    source,
    count(*) as entries,
    min(first_seen_at)::date as since,
    max(attempts) as attempts
from sync.quarantine
where resolved_at is null
group by 1, source
order by 3 desc, 1, 2
