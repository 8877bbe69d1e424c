-- "Complete through when?" in one row: the days from the first one walked up to the first gap.
create view analytics.freshness as
with days as (
    select
        day,
        verified_at,
        verified_at is not null
            and unverified is null
            and listed = stored + quarantined as complete,
        quarantined
    from sync.coverage
),

first_gap as (
    select min(candidate) as day
    from (
        select min(day) as candidate
        from days
        where not complete
        union all
        select min(this.day) + 1
        from days as this
        where not exists (select from days as following where following.day = this.day + 1)
    ) as candidates
)

select
    min(days.day) as covered_from,
    nullif(max(first_gap.day) - 1, min(days.day) - 1) as complete_through,
    max(days.day) as newest_day,
    count(*) filter (where not days.complete) as incomplete_days,
    coalesce(sum(days.quarantined), 0)::bigint as quarantined,
    min(days.verified_at) as oldest_verification,
    max(days.verified_at) as newest_verification,
    (select min(refreshed_at) from sync.view_versions) as refreshed_at,
    coalesce(
        (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
    ) as time_zone
from days
cross join first_gap;

comment on view analytics.freshness is 'One row: through which day the warehouse is complete, and what is missing after it.';
comment on column analytics.freshness.covered_from is 'First day ever walked.';
comment on column analytics.freshness.complete_through is 'Last day of the complete days that follow covered_from without a gap. Null: covered_from itself is not complete.';
comment on column analytics.freshness.newest_day is 'Newest day walked.';
comment on column analytics.freshness.incomplete_days is 'Number of walked days that are not verified, or where listed <> stored + quarantined.';
comment on column analytics.freshness.quarantined is 'Number of listed activities in quarantine, over all days.';
comment on column analytics.freshness.oldest_verification is 'The oldest verified_at of all days.';
comment on column analytics.freshness.newest_verification is 'When a day was last verified.';
comment on column analytics.freshness.refreshed_at is 'The instant that the stored views describe, of the oldest of them. Everything else is current.';
comment on column analytics.freshness.time_zone is 'The configured time zone, in which all days are cut.';
