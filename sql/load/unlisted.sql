-- After a verified walk: mark what a day's list no longer carries, unmark what it carries again, and
-- return all that is missing. A mark is no verdict: only a 403 or 404 for the details makes an activity
-- gone. What is gone already is returned when it is wanted. Malformed list rows that the list no longer
-- carries are resolved; a row that is well formed now is resolved when it is loaded.
-- `not in` is hashed; for `not exists` PostgreSQL chose a nested loop, 25 times slower for 10,000 rows.
with listed as (
    -- A list row without an id goes by its digest, which is shorter.
    select case when length(subject) = 36 then subject::uuid end as activity_id
    from unnest(%(subjects)s::text[]) as subject
),

missing as (
    update sync.activity_ledger as ledger set unlisted_at = %(at)s
    where ledger.day = any(%(days)s::date[])
        and ledger.unlisted_at is null
        and ledger.gone_at is null
        and ledger.activity_id not in (select activity_id from listed where activity_id is not null)
    returning ledger.activity_id, ledger.day
),

back as (
    -- By the key of each, not by a join, for which PostgreSQL would read the whole ledger.
    update sync.activity_ledger as ledger set unlisted_at = null
    where ledger.activity_id = any(array(select activity_id from listed))
        and ledger.unlisted_at is not null
),

resolved as (
    update sync.quarantine set resolved_at = %(at)s
    where source = 'list'
        and resolved_at is null
        and day = any(%(days)s::date[])
        and not subject = any(%(subjects)s::text[])
)

select activity_id::text, day, false as gone from missing
union all
select ledger.activity_id::text, ledger.day, ledger.gone_at is not null
from sync.activity_ledger as ledger
where ledger.day = any(%(days)s::date[])
    and (
        (ledger.unlisted_at is not null and ledger.gone_at is null)
        or (ledger.gone_at is not null and %(also_gone)s)
    )
    and ledger.activity_id not in (select activity_id from listed where activity_id is not null)
order by activity_id
