-- depends: activities
create view analytics.decision_times as
select
    month,
    type,
    type_label,
    in_out_bound,
    attended,
    created_to_attended[1] as created_to_attended_p50,
    created_to_attended[2] as created_to_attended_p90,
    created_to_attended[3] as created_to_attended_p95,
    completed,
    attended_to_completed[1] as attended_to_completed_p50,
    attended_to_completed[2] as attended_to_completed_p90,
    attended_to_completed[3] as attended_to_completed_p95,
    created_to_completed[1] as created_to_completed_p50,
    created_to_completed[2] as created_to_completed_p90,
    created_to_completed[3] as created_to_completed_p95,
    extract(epoch from created_to_attended[1])::double precision / 3600 as created_to_attended_hours_p50,
    extract(epoch from created_to_attended[2])::double precision / 3600 as created_to_attended_hours_p90,
    extract(epoch from created_to_attended[3])::double precision / 3600 as created_to_attended_hours_p95,
    extract(epoch from attended_to_completed[1])::double precision / 3600 as attended_to_completed_hours_p50,
    extract(epoch from attended_to_completed[2])::double precision / 3600 as attended_to_completed_hours_p90,
    extract(epoch from attended_to_completed[3])::double precision / 3600 as attended_to_completed_hours_p95,
    extract(epoch from created_to_completed[1])::double precision / 3600 as created_to_completed_hours_p50,
    extract(epoch from created_to_completed[2])::double precision / 3600 as created_to_completed_hours_p90,
    extract(epoch from created_to_completed[3])::double precision / 3600 as created_to_completed_hours_p95
from (
    select
        created_month as month,
        activity_type as type,
        activity_type_label as type_label,
        in_out_bound,
        count(answered_at) as attended,
        count(completed_at - created_at) as completed,
        percentile_cont(array[0.5, 0.9, 0.95]) within group (order by answered_at - created_at) as created_to_attended,
        percentile_cont(array[0.5, 0.9, 0.95]) within group (order by completed_at - answered_at) as attended_to_completed,
        percentile_cont(array[0.5, 0.9, 0.95]) within group (order by completed_at - created_at) as created_to_completed
    from analytics.activities
    where num_nonnulls(answered_at, completed_at) > 0
    group by 1, 2, 3, 4
) as measured;
comment on view analytics.decision_times is 'Deprecated: use analytics.activities_by_month.';
