-- Which statuses did one activity go through, by the service's clock? (Here: one of the oldest day.)
select story.status, story.from_at, story.to_at, story.duration
from analytics.status_intervals as story
where story.activity_id = (
    select id
    from analytics.activities
    where day = (select covered_from from analytics.freshness)
    order by completed_at nulls last, created_at
    limit 1
)
order by story.from_at
