-- The top of the page: through when the warehouse is complete, and the instant that the counts describe.
select
    freshness.covered_from,
    freshness.complete_through,
    freshness.newest_day,
    freshness.incomplete_days,
    freshness.quarantined,
    freshness.newest_verification,
    (
        select min(view.refreshed_at)
        from sync.view_versions as view
        where view.name in ('activity_funnel', 'decision_times', 'requirement_outcomes')
    ) as counted_at,
    (
        select known.value from sync.service_facts as known where known.fact = 'configured_zone'
    ) as zone
from analytics.freshness as freshness
