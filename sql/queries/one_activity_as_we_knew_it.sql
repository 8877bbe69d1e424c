-- What did we know of one activity a moment ago? (Any instant may stand there.)
select known.source, known.type, known.status, known.attended_at, known.gone
from analytics.activity_as_of(
    now(),
    (
        select id
        from analytics.activities
        where day = (select covered_from from analytics.freshness)
        order by created_at
        limit 1
    )
) as known
