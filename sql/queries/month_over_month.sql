-- How do volume and acceptance change from month to month?
with monthly as (
    select
        date_trunc('month', day)::date as month,
        sum(created) as created,
        sum(accepted) as accepted,
        sum(declined) as declined
    from analytics.activity_funnel
    where day is not null
    group by 1
)

select
    month,
    created,
    round(100.0 * created / lag(created) over earlier - 100, 1) as created_change_percent,
    round(accepted / nullif(accepted + declined, 0), 3) as acceptance_rate,
    round(
        accepted / nullif(accepted + declined, 0)
        - lag(accepted / nullif(accepted + declined, 0)) over earlier, 3
    ) as acceptance_change
from monthly
window earlier as (order by month)
order by month desc
limit 12
