-- depends: days
-- "Complete through when?" in one row: all days since the start, up to the first gap. A day that was never
-- walked is a gap.
create view analytics.freshness as
with known as materialized (
    -- Once: it reads every day's activities.
    select day, incomplete, is_complete, quarantined_activities, verified_at
    from analytics.days
),

bounds as (
    select
        coalesce(calendar.start_date, min(known.day) filter (where known.asked)) as first_day,
        max(known.day) filter (where known.asked or known.incomplete is not null) as last_day,
        max(known.day) filter (where known.asked) as newest_day,
        calendar.time_zone,
        calendar.today
    from sync.calendar
    left join (
        select day, incomplete, is_complete or incomplete <> 'never asked for' as asked
        from known
    ) as known on true
    group by calendar.start_date, calendar.time_zone, calendar.today
),

summed as (
    select
        coalesce(
            min(known.day) filter (where known.day >= bounds.first_day and known.incomplete is not null) - 1,
            max(bounds.last_day)
        ) as through,
        count(known.incomplete) as incomplete_days,
        coalesce(sum(known.quarantined_activities), 0)::bigint as quarantined_activities,
        least(
            min(known.day) filter (
                where known.day >= bounds.first_day
                    and (known.incomplete is not null or known.quarantined_activities > 0)
            ) - 1,
            max(bounds.last_day),
            max(bounds.today) - 1
        ) as wholly_through,
        case
            when bool_and(known.verified_at is not null) filter (where known.day >= bounds.first_day)
                then min(known.verified_at) filter (where known.day >= bounds.first_day)
        end as oldest_verification,
        max(known.verified_at) as newest_verification
    from bounds
    left join known on known.day <= bounds.last_day
),

samples as (
    select
        min(finished_at) as measured_since,
        coalesce(sum(sampled), 0)::bigint as measured_activities,
        (array_agg(stale_upper_bound order by finished_at desc))[1] as stale_upper_bound
    from sync.verifications
    where stale_upper_bound is not null
)

select
    bounds.first_day as covered_from,
    case when summed.through >= bounds.first_day then summed.through end as complete_so_far_except_quarantined,
    bounds.newest_day,
    summed.incomplete_days,
    summed.quarantined_activities,
    summed.oldest_verification,
    summed.newest_verification,
    samples.stale_upper_bound,
    samples.measured_activities,
    samples.measured_since,
    (select min(refreshed_at) from sync.view_versions) as refreshed_at,
    bounds.time_zone,
    (
        select count(distinct coalesce(activity_id::text, entity_id::text, 'everything'))
        from sync.refresh_queue
    ) as uncounted_changes,
    case when summed.wholly_through >= bounds.first_day then summed.wholly_through end as complete_through
from bounds
cross join summed
cross join samples;

comment on view analytics.freshness is 'One row: through which day the warehouse is complete, what is missing after it, and how much of it can be stale.';
comment on column analytics.freshness.covered_from is 'ACTIVITIES_START_DATE of the latest run; before a run stored it, the first day walked.';
comment on column analytics.freshness.complete_through is 'Last day of those that are over, complete and without anything in quarantine, and follow covered_from without a gap. Null: covered_from itself is none.';
comment on column analytics.freshness.complete_so_far_except_quarantined is 'Last day of the complete days that follow covered_from without a gap. Activities in quarantine are missing in them, and so is what a day that is not over will still bring. Null: covered_from itself is not complete.';
comment on column analytics.freshness.newest_day is 'Newest day walked.';
comment on column analytics.freshness.incomplete_days is 'Number of days until yesterday that were never walked or are not complete (sync.coverage.incomplete).';
comment on column analytics.freshness.quarantined_activities is 'Number of listed activities in quarantine, over all days.';
comment on column analytics.freshness.oldest_verification is 'Everything was looked at since then: the oldest verified_at of all days since covered_from. Null: a day was never verified.';
comment on column analytics.freshness.newest_verification is 'When a day was last verified.';
comment on column analytics.freshness.stale_upper_bound is 'Upper 95 % bound of the share of activities that are stale, 0 to 1, from all samples together (sync.verifications). It holds at every moment one looks. Null: not measured yet.';
comment on column analytics.freshness.measured_activities is 'Number of activities that were drawn and fetched again for stale_upper_bound.';
comment on column analytics.freshness.measured_since is 'When the first of these samples ended.';
comment on column analytics.freshness.refreshed_at is 'The instant that the stored views describe, of the oldest of them. Everything else is current.';
comment on column analytics.freshness.time_zone is 'The configured time zone, in which all days are cut.';
comment on column analytics.freshness.uncounted_changes is 'Number of activities and counterparts that changed since refreshed_at: the stored views do not show these changes yet. 0: they are up to date.';
