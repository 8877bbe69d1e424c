-- How many hours does an answer take, by month of creation, type and direction?
-- Written from sql/metrics.yml.
select
    created_month,
    activity_type_label,
    in_out_bound,
    count(*) filter (where outcome in ('accepted', 'declined')) as answered_activities,
    round(percentile_cont(0.5) within group (order by hours_to_answer)::numeric, 1) as hours_to_answer_p50,
    round(percentile_cont(0.9) within group (order by hours_to_answer)::numeric, 1) as hours_to_answer_p90,
    coalesce(bool_and(is_whole_month), false) as is_whole_month
from analytics.activities
left join analytics.days on day = created_day
where answered_at is not null and created_month between date_trunc('month', %(first)s::date) and %(last)s
group by 1, 2, 3
order by created_month desc, answered_activities desc, 2, 3
