-- How many hours does it take until a change is in the warehouse?
-- The answer changes with the clock.
select week, changes, hours_p50, hours_p90, hours_max
from analytics.change_lag
where week > now() - interval '8 weeks'
order by week desc
