-- Which shared data can be read for one more week at most, by who gave them?
-- The answer changes with the clock.
-- Written from sql/metrics.yml.
select
    requirement_code,
    requirement_label,
    direction,
    count(*) filter (where is_accepted) as given_requirements,
    min(readable_until) as first_ends_at
from analytics.requirements
where readable_until between now() and now() + interval '7 days'
group by 1, 2, 3
order by first_ends_at, 1, 3
