-- depends: activities, days
create view analytics.activities_by_month as
select
    activity.created_month,
    coalesce(whole.is_whole_month, false) as is_whole_month,
    activity.activity_type,
    activity.activity_type_label,
    activity.in_out_bound,
    count(*) as created_activities,
    count(*) filter (where outcome in ('accepted', 'declined')) as answered_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    count(*) filter (where outcome = 'canceled') as canceled_activities,
    round(avg((outcome = 'accepted')::integer) filter (where outcome in ('accepted', 'declined')), 4) as acceptance_rate,
    percentile_cont(0.5) within group (order by hours_to_answer) as hours_to_answer_p50,
    percentile_cont(0.9) within group (order by hours_to_answer) as hours_to_answer_p90,
    percentile_cont(0.95) within group (order by hours_to_answer) as hours_to_answer_p95,
    count(*) filter (where is_completed) as completed_activities,
    percentile_cont(0.5) within group (order by hours_to_completion) as hours_to_completion_p50,
    percentile_cont(0.9) within group (order by hours_to_completion) as hours_to_completion_p90,
    percentile_cont(0.95) within group (order by hours_to_completion) as hours_to_completion_p95
from analytics.activities as activity
left join (
    select distinct month, is_whole_month from analytics.days
) as whole on whole.month = activity.created_month
group by 1, 2, 3, 4, 5;

comment on view analytics.activities_by_month is
    'One row per month of creation, type and direction: how many activities were created and answered, and how long that took. Compare months only where is_whole_month. Percentiles of several rows cannot be averaged.';
comment on column analytics.activities_by_month.is_whole_month is 'True when the month is over and all of its days are complete. False: the running month, or one with a gap.';
comment on column analytics.activities_by_month.accepted_activities is 'Of the answered, accepted in whole or in part.';
comment on column analytics.activities_by_month.declined_activities is 'Of the answered, declined.';
comment on column analytics.activities_by_month.acceptance_rate is 'accepted / answered, 0 to 1. Null: none answered.';
comment on column analytics.activities_by_month.hours_to_answer_p50 is 'Half of the answers came within so many hours.';
comment on column analytics.activities_by_month.hours_to_answer_p90 is '90 % of the answers came within so many hours.';
comment on column analytics.activities_by_month.hours_to_answer_p95 is '95 % of the answers came within so many hours.';
comment on column analytics.activities_by_month.completed_activities is 'Of the created, completed, also when expired since.';
comment on column analytics.activities_by_month.hours_to_completion_p50 is 'Half were completed within so many hours after creation.';
comment on column analytics.activities_by_month.hours_to_completion_p90 is '90 % were completed within so many hours after creation.';
comment on column analytics.activities_by_month.hours_to_completion_p95 is '95 % were completed within so many hours after creation.';
