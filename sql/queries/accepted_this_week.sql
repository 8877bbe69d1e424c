-- How many activities were accepted in each week, by the week of the answer, by us and by them? The running week is marked.
-- Written from sql/metrics.yml.
select
    answered_week,
    answered_by,
    count(*) filter (where outcome in ('accepted', 'declined')) as answered_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    round(
        count(*) filter (where outcome = 'accepted')::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'declined')), 0), 3
    ) as acceptance_rate,
    coalesce(bool_and(is_whole_week), false) as is_whole_week
from analytics.activities
left join analytics.days on day = answered_day
where answered_day is not null
group by 1, 2
order by answered_week desc, answered_by
limit 8
