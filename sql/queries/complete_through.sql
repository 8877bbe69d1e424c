-- Through which day is the warehouse complete, and what is missing after it?
select covered_from, complete_through, newest_day, incomplete_days, quarantined, time_zone
from analytics.freshness
