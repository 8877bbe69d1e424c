-- depends: activities_by_created_day
create view analytics.activity_funnel as
select
    created_day as day,
    activity_type as type,
    activity_type_label as type_label,
    in_out_bound,
    created,
    pending,
    accepted,
    declined,
    canceled,
    other,
    completed,
    sharing_ended as expired,
    gone,
    answer_rate,
    round(accepted::numeric / nullif(accepted + declined, 0), 4) as acceptance_rate,
    completion_rate
from analytics.activities_by_created_day;
comment on view analytics.activity_funnel is 'Deprecated: use analytics.activities_by_created_day, or activities_by_answered_day.';
