-- Through which day is the warehouse complete, and what is missing after it?
select
    covered_from, complete_through, complete_so_far_except_quarantined, newest_day, incomplete_days,
    quarantined_activities, time_zone
from analytics.freshness
