-- How do volume and acceptance change from month to month, by direction? The running month is marked, not compared.
-- Written from sql/metrics.yml.
select
    created_month,
    in_out_bound,
    count(*) as created_activities,
    round(
        count(*) filter (where outcome = 'accepted')::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'declined')), 0), 3
    ) as acceptance_rate,
    round(
        count(*) filter (where is_completed)::numeric
        / nullif(count(*) filter (where outcome in ('accepted', 'share')), 0), 3
    ) as completion_rate,
    coalesce(bool_and(is_whole_month), false) as is_whole_month,
    case
        when bool_and(is_whole_month) and lag(bool_and(is_whole_month)) over earlier
            then round(100.0 * count(*) / lag(count(*)) over earlier - 100, 1)
    end as created_change_percent
from analytics.activities
left join analytics.days on day = created_day
where created_month between date_trunc('month', %(first)s::date) and %(last)s
group by 1, 2
window earlier as (partition by in_out_bound order by created_month)
order by created_month desc, in_out_bound
