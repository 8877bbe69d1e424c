-- Which shared data can be read for one more week at most?
-- The answer changes with the clock.
select requirement_code, requirement_label, count(*) as shares, min(readable_until) as first_ends_at
from analytics.requirements
where readable_until between now() and now() + interval '7 days'
group by 1, 2
order by 4
