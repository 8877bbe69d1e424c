-- Marks activities of proven days that their list lacks. A mark is no verdict: only a 403 or 404 for the details
-- makes an activity gone. What came after the list was asked for is not missing. Malformed rows that the list no
-- longer carries are resolved.
-- `not in` is hashed; for `not exists` PostgreSQL chose a nested loop, 25 times slower for 10,000 rows.
with listed as (
    -- A row without an id goes by its digest, which is shorter.
    select case when length(subject) = 36 then subject::uuid end as activity_id
    from unnest(%(subjects)s::text[]) as subject
),

resolved as (
    update sync.quarantine as entry set resolved_at = now()
    where source = 'list'
        and resolved_at is null
        and last_seen_at < %(at)s
        and subject <> all(%(subjects)s::text[])
        -- The day of a row that does not tell it was a guess, until details told it.
        and coalesce(
            (
                select ledger.day from sync.activity_ledger as ledger
                where ledger.activity_id = case when length(entry.subject) = 36 then entry.subject::uuid end
            ),
            entry.day
        ) = any(%(days)s::date[])
        and subject <> all(%(still_listed)s::text[])
)

update sync.activity_ledger as known set unlisted_at = %(at)s
where known.activity_id not in (select activity_id from listed where activity_id is not null)
    and (
        (
            known.day = any(%(days)s::date[])
            and known.unlisted_at is null
            and (known.listed_at is null or known.listed_at < %(at)s)
        )
        -- What is finished may have been left out. A list that has other finished ones must have it, too; a
        -- full run asks in any case.
        or (
            known.day = any(%(walked)s::date[])
            and known.gone_at is null
            and known.final
            and known.checked_at > known.unlisted_at
            and known.checked_at < %(at)s
            and (
                %(full)s
                or exists (
                    select from sync.activity_ledger as other
                    where other.final
                        and other.activity_id in (select activity_id from listed where activity_id is not null)
                )
            )
        )
    )
