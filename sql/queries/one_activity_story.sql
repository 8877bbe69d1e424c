-- Which statuses did one activity go through, by the service's clock? (Here: one of the oldest day.)
select story.status, story.entered_at, story.left_at, story.hours
from analytics.status_changes as story
where story.activity_id = (
    select activity_id
    from analytics.activities
    where created_day = (select covered_from from analytics.freshness)
    order by completed_at nulls last, created_at
    limit 1
)
order by story.entered_at, story.change_number
