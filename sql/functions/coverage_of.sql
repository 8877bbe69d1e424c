-- Which days are complete, and why not: the view sync.coverage.
create or replace function sync.coverage_of(first date, last date) returns table (
    day date, listed bigint, stored bigint, quarantined bigint, gone bigint, verified_at timestamptz,
    incomplete text, run_id text, accepted bigint
)
language sql
stable
-- Analysts read coverage, and not the ledger.
security definer
set search_path = pg_catalog
as $$
    with held as (
        select subject::uuid as activity_id, bool_and(accepted_at is not null) as accepted
        from sync.quarantine
        -- What has no id that can be read goes by a digest, which is shorter.
        where resolved_at is null and length(subject) = 36
        group by subject
    ),

    -- By the index alone. Nearly all are listed and settled, so only the others are read.
    known as (
        select ledger.day, count(*) as activities
        from sync.activity_ledger as ledger
        where ledger.day between first and last
        group by ledger.day
    ),

    apart as (
        select
            judged.day,
            count(*) as activities,
            count(*) filter (
                where offered and settled = listed and not altered and not_yet_at is null and not in_quarantine
            ) as stored,
            count(*) filter (where offered and in_quarantine) as quarantined,
            count(*) filter (
                where offered and activity_id in (select held.activity_id from held where held.accepted)
            ) as accepted,
            count(*) filter (where gone_at is not null) as gone,
            count(*) filter (where gone_at is null and not offered) as missing,
            count(*) filter (where gone_at is null and finished) as finished,
            count(*) filter (where offered and altered and not in_quarantine) as altered,
            count(*) filter (where offered and not_yet_at is not null and not in_quarantine) as not_yet,
            count(*) filter (
                where offered and settled is distinct from listed and not_yet_at is null and not in_quarantine
            ) as waiting
        from (
            select
                *,
                gone_at is null and (unlisted_at is null or finished) as offered,
                activity_id in (select held.activity_id from held) as in_quarantine
            from (
                -- The list need not have what is finished, if its details still come.
                select *, coalesce(final and checked_at > unlisted_at, false) as finished
                from sync.activity_ledger
                where day between first and last
                    and (unsettled or activity_id = any(array(select held.activity_id from held)))
            ) as each
        ) as judged
        group by judged.day
    ),

    -- Rows of the list without an id that can be read.
    nameless as (
        select
            entry.day,
            count(distinct entry.subject) as rows,
            count(distinct entry.subject) filter (where entry.accepted_at is not null) as accepted
        from sync.quarantine as entry
        where entry.resolved_at is null
            and entry.day between first and last
            and not exists (
                select from sync.activity_ledger as ledger where ledger.activity_id::text = entry.subject
            )
        group by entry.day
    ),

    counted as (
        select
            walked.day,
            -- What can't be read yet is as good as not listed yet.
            walked.listed - coalesce(apart.not_yet, 0) + coalesce(apart.finished, 0) as listed,
            coalesce(known.activities, 0) - coalesce(apart.activities - apart.stored, 0) as stored,
            coalesce(apart.quarantined, 0) + coalesce(nameless.rows, 0) as quarantined,
            coalesce(apart.accepted, 0) + coalesce(nameless.accepted, 0) as accepted,
            coalesce(apart.gone, 0) as gone,
            walked.proven_at,
            walked.unproven,
            walked.run_id,
            apart.missing,
            apart.altered,
            apart.waiting
        from sync.days as walked
        left join known on known.day = walked.day
        left join apart on apart.day = walked.day
        left join nameless on nameless.day = walked.day
        where walked.day between first and last
    )

    select
        day, listed, stored, quarantined, gone, proven_at,
        case
            when unproven is not null then unproven
            when proven_at is null then 'the list was never read to its end'
            when altered > 0 then format('%s activities were changed by hand', altered)
            when missing > 0
                then format(
                    '%s stored activities are not listed, although the service does not say that they are gone',
                    missing
                )
            when waiting > 0 then format('%s activities wait for their details', waiting)
            when listed <> stored + quarantined
                then format('%s listed, %s stored, %s in quarantine', listed, stored, quarantined)
        end,
        run_id,
        accepted
    from counted
$$;
