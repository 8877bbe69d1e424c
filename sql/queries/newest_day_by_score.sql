-- Which scoring levels did the counterparts of the newest day have, and how did they answer?
select
    counterpart.scoring_level,
    count(*) as activities,
    count(*) filter (where activity.answered_by = 'them' and activity.outcome = 'accepted') as they_accepted,
    count(*) filter (where activity.answered_by = 'them' and activity.outcome = 'declined') as they_declined
from analytics.activities as activity
left join analytics.counterparts as counterpart on counterpart.entity_id = activity.entity_id
where activity.created_day = (select newest_day from analytics.freshness)
group by 1
order by 2 desc, 1
