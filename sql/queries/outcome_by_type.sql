-- How are activities answered, by type and direction?
select
    activity_type_label as type_label,
    in_out_bound,
    sum(created_activities) as created,
    round(sum(accepted_activities) / nullif(sum(answered_activities), 0), 3) as acceptance_rate,
    round(sum(canceled_activities) / nullif(sum(accepted_activities + declined_activities + canceled_activities), 0), 3) as unanswered_rate
from analytics.activities_by_created_day
group by 1, 2
order by 3 desc, 1, 2
