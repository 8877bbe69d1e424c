-- What did we know about one activity at an instant? (Here: a moment ago.)
select known.source, known.type, known.status, known.attended_at, known.gone
from analytics.activity_as_of(
    now(),
    (
        select activity_id
        from analytics.activities
        where created_day = (select covered_from from analytics.freshness)
        order by activity_type, created_at
        limit 1
    )
) as known
