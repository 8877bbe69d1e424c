-- How are activities answered, by type and direction?
select
    type_label,
    in_out_bound,
    sum(created) as created,
    round(sum(accepted) / nullif(sum(accepted + declined), 0), 3) as acceptance_rate,
    round(sum(canceled) / nullif(sum(accepted + declined + canceled), 0), 3) as unanswered_rate
from analytics.activity_funnel
group by 1, 2
order by 3 desc, 1, 2
