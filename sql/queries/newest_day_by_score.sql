-- Which scoring levels did the counterparts of the newest day have, and how did they answer?
select
    entity_scoring_level,
    count(*) as activities,
    count(*) filter (where stage = 'accepted') as accepted,
    count(*) filter (where stage = 'declined') as declined
from analytics.activities
where day = (select newest_day from analytics.freshness)
group by 1
order by 2 desc, 1
