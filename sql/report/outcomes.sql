-- How did the activities created on these days end, by direction?
-- Written from sql/metrics.yml.
select
    in_out_bound,
    count(*) as created_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    count(*) filter (where outcome = 'canceled') as canceled_activities,
    count(*) filter (where outcome = 'share') as shares,
    count(*) filter (where is_completed) as completed_activities,
    round(
        count(*) filter (where outcome = 'accepted')::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'declined')), 0), 3
    ) as acceptance_rate
from analytics.activities
where created_day between %(first)s and %(last)s
group by 1
order by in_out_bound
