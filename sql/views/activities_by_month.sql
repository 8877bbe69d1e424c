-- depends: activities, days
-- Months that can be compared, with the time that answers and completion took.
create view analytics.activities_by_month as
select
    counted.created_month,
    coalesce(whole.is_whole, false) as month_is_whole,
    counted.activity_type,
    counted.activity_type_label,
    counted.in_out_bound,
    counted.created,
    counted.answered,
    counted.accepted,
    counted.declined,
    counted.canceled,
    round(counted.accepted::numeric / nullif(counted.answered, 0), 4) as acceptance_rate,
    counted.to_answer[1] as hours_to_answer_p50,
    counted.to_answer[2] as hours_to_answer_p90,
    counted.to_answer[3] as hours_to_answer_p95,
    counted.completed,
    counted.to_completion[1] as hours_to_completion_p50,
    counted.to_completion[2] as hours_to_completion_p90,
    counted.to_completion[3] as hours_to_completion_p95
from (
    select
        created_month,
        activity_type,
        activity_type_label,
        in_out_bound,
        count(*) as created,
        count(*) filter (where answered_by is not null and outcome in ('accepted', 'declined')) as answered,
        count(*) filter (where answered_by is not null and outcome = 'accepted') as accepted,
        count(*) filter (where answered_by is not null and outcome = 'declined') as declined,
        count(*) filter (where outcome = 'canceled') as canceled,
        count(*) filter (where completed) as completed,
        percentile_cont(array[0.5, 0.9, 0.95]) within group (order by hours_to_answer) as to_answer,
        percentile_cont(array[0.5, 0.9, 0.95]) within group (order by hours_to_completion) as to_completion
    from analytics.activities
    group by 1, 2, 3, 4
) as counted
left join (
    select month, bool_and(month_is_whole) as is_whole
    from analytics.days
    group by month
) as whole on whole.month = counted.created_month;

comment on view analytics.activities_by_month is
    'One row per month of creation, type and direction: how many activities were created and answered, and how long that took. Compare months only where month_is_whole. Percentiles of several rows cannot be averaged.';
comment on column analytics.activities_by_month.month_is_whole is 'True when the month is over and all of its days are complete. False: the running month, or one with a gap.';
comment on column analytics.activities_by_month.created is 'Number of activities created.';
comment on column analytics.activities_by_month.answered is 'Of these, accepted or declined by an answer.';
comment on column analytics.activities_by_month.accepted is 'Of the answered, accepted in whole or in part.';
comment on column analytics.activities_by_month.declined is 'Of the answered, declined.';
comment on column analytics.activities_by_month.canceled is 'Of the created, never answered.';
comment on column analytics.activities_by_month.acceptance_rate is 'accepted / answered, 0 to 1. Null: none answered.';
comment on column analytics.activities_by_month.hours_to_answer_p50 is 'Half of the answers came within so many hours.';
comment on column analytics.activities_by_month.hours_to_answer_p90 is '90 % of the answers came within so many hours.';
comment on column analytics.activities_by_month.hours_to_answer_p95 is '95 % of the answers came within so many hours.';
comment on column analytics.activities_by_month.completed is 'Number of activities accepted and completed.';
comment on column analytics.activities_by_month.hours_to_completion_p50 is 'Half were completed within so many hours after the answer.';
comment on column analytics.activities_by_month.hours_to_completion_p90 is '90 % were completed within so many hours after the answer.';
comment on column analytics.activities_by_month.hours_to_completion_p95 is '95 % were completed within so many hours after the answer.';
