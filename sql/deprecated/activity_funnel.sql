-- depends: activities_by_created_day
create view analytics.activity_funnel as
select
    created_day as day,
    activity_type as type,
    activity_type_label as type_label,
    in_out_bound,
    created,
    pending,
    accepted + shares as accepted,
    declined,
    canceled,
    other,
    completed,
    sharing_ended as expired,
    gone,
    round((accepted + shares + declined)::numeric / nullif(accepted + shares + declined + canceled, 0), 4) as answer_rate,
    round((accepted + shares)::numeric / nullif(accepted + shares + declined, 0), 4) as acceptance_rate,
    completion_rate
from analytics.activities_by_created_day;
comment on view analytics.activity_funnel is 'Deprecated: use analytics.activities_by_created_day, or activities_by_answered_day.';
