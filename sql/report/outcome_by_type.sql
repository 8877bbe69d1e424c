-- How are activities answered, by type and direction?
-- Written from sql/metrics.yml.
select
    activity_type_label,
    in_out_bound,
    count(*) as created_activities,
    count(*) filter (where outcome = 'pending') as pending_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    count(*) filter (where outcome = 'canceled') as canceled_activities,
    count(*) filter (where outcome = 'share') as shares,
    count(*) filter (where outcome is null) as other_activities,
    round(
        count(*) filter (where outcome = 'accepted')::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'declined')), 0), 3
    ) as acceptance_rate,
    round(
        count(*) filter (where outcome = 'canceled')::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'declined', 'canceled')), 0), 3
    ) as unanswered_rate
from analytics.activities
where created_day between %(first)s and %(last)s
group by 1, 2
order by created_activities desc, 1, 2
