-- What must we answer, and what waits for them? Direction counts.
-- Written from sql/metrics.yml.
select
    waiting_for,
    activity_type_label,
    count(*) filter (where outcome = 'pending') as pending_activities,
    min(valid_until) as next_deadline
from analytics.activities
where waiting_for is not null
group by 1, 2
order by waiting_for desc, pending_activities desc, 2
