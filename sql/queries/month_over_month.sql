-- How do volume and acceptance change from month to month? The running month is marked, not compared.
with monthly as (
    select
        created_month,
        is_whole_month,
        sum(created_activities) as created,
        sum(accepted_activities) filter (where in_out_bound = 'OUT')
        / nullif(sum(answered_activities) filter (where in_out_bound = 'OUT'), 0) as they_accept,
        sum(accepted_activities) filter (where in_out_bound = 'IN')
        / nullif(sum(answered_activities) filter (where in_out_bound = 'IN'), 0) as we_accept
    from analytics.activities_by_month
    group by 1, 2
)

select
    created_month,
    is_whole_month,
    created,
    case
        when is_whole_month and lag(is_whole_month) over earlier
            then round(100.0 * created / lag(created) over earlier - 100, 1)
    end as created_change_percent,
    round(they_accept, 3) as they_accept,
    round(we_accept, 3) as we_accept
from monthly
window earlier as (order by created_month)
order by created_month desc
limit 12
