-- The top of the page: through when the warehouse is complete, and the instant that the counts describe.
select
    freshness.covered_from,
    freshness.complete_so_far_except_quarantined as complete_through,
    freshness.newest_day,
    freshness.incomplete_days,
    freshness.quarantined_activities as quarantined,
    freshness.newest_verification,
    freshness.refreshed_at as counted_at,
    freshness.time_zone as zone
from analytics.freshness as freshness
