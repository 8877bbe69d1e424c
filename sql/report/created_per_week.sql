-- How many activities were created each week, by direction, and how did they end? The running week is marked.
-- Written from sql/metrics.yml.
select
    created_week,
    in_out_bound,
    count(*) as created_activities,
    count(*) filter (where outcome = 'pending') as pending_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    count(*) filter (where outcome = 'canceled') as canceled_activities,
    count(*) filter (where outcome = 'share') as shares,
    count(*) filter (where outcome is null) as other_activities,
    coalesce(bool_and(is_whole_week), false) as is_whole_week
from analytics.activities
left join analytics.days on day = created_day
where created_week between date_trunc('week', %(first)s::date) and %(last)s
group by 1, 2
order by created_week desc, in_out_bound
