-- One row for each walked day. The walk gives listed. Stored and quarantined are counted in the
-- tables, so that listed = stored + quarantined proves something. A verified day of the run of which
-- something is undecided is not complete yet, whether it is one of these or was walked before.
with undecided as (
    update sync.coverage set unverified = %(reason)s
    where run_id = %(run_id)s
        and day = any(%(undecided)s::date[])
        and day <> all(%(day)s::date[])
        and unverified is null
)

insert into sync.coverage as known (
    day, listed, stored, quarantined, gone, verified_at, unverified, listed_digest, run_id
)
select
    walked.day, walked.listed, counted.stored, counted.quarantined, counted.gone,
    walked.verified_at,
    coalesce(walked.unverified, case when walked.day = any(%(undecided)s::date[]) then %(reason)s end),
    walked.listed_digest, %(run_id)s
from unnest(
    %(day)s::date[], %(listed)s::bigint[], %(verified_at)s::timestamptz[],
    %(unverified)s::text[], %(listed_digest)s::bytea[]
) as walked (day, listed, verified_at, unverified, listed_digest)
inner join sync.count_days(%(day)s::date[]) as counted
    on counted.day = walked.day
order by walked.day
on conflict (day) do update set
    listed = excluded.listed,
    stored = excluded.stored,
    quarantined = excluded.quarantined,
    gone = excluded.gone,
    verified_at = coalesce(excluded.verified_at, known.verified_at),
    unverified = excluded.unverified,
    listed_digest = excluded.listed_digest,
    run_id = excluded.run_id
