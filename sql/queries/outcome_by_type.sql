-- How are activities answered, by type and direction?
select
    activity_type_label as type_label,
    in_out_bound,
    sum(created) as created,
    round(sum(accepted) / nullif(sum(answered), 0), 3) as acceptance_rate,
    round(sum(canceled) / nullif(sum(accepted + declined + canceled), 0), 3) as unanswered_rate
from analytics.activities_by_created_day
group by 1, 2
order by 3 desc, 1, 2
