-- depends: activities
create view analytics.activities_by_created_day as
select
    created_day,
    created_week,
    created_month,
    activity_type,
    activity_type_label,
    in_out_bound,
    count(*) as created_activities,
    count(*) filter (where outcome = 'pending') as pending_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    count(*) filter (where outcome = 'canceled') as canceled_activities,
    count(*) filter (where outcome = 'share') as shares,
    count(*) filter (where outcome is null) as other_activities,
    count(*) filter (where outcome in ('accepted', 'declined')) as answered_activities,
    count(*) filter (where is_completed) as completed_activities,
    count(*) filter (where sharing_ended and outcome in ('accepted', 'share')) as sharing_ended_activities,
    count(*) filter (where gone_at is not null) as gone_activities,
    round(avg((outcome <> 'canceled')::integer) filter (where outcome in ('accepted', 'declined', 'canceled')), 4) as answer_rate,
    round(avg((outcome = 'accepted')::integer) filter (where outcome in ('accepted', 'declined')), 4) as acceptance_rate,
    round(avg(is_completed::integer) filter (where outcome in ('accepted', 'share')), 4) as completion_rate
from analytics.activities
group by 1, 2, 3, 4, 5, 6;

comment on view analytics.activities_by_created_day is
    'One row per day of creation, type and direction: how many activities were created, and how they ended since. created = pending + accepted + declined + canceled + shares + other. For what was answered on a day: activities_by_answered_day.';
comment on column analytics.activities_by_created_day.created_activities is 'Number of activities created.';
comment on column analytics.activities_by_created_day.pending_activities is 'Of these, not answered yet, and still offered.';
comment on column analytics.activities_by_created_day.accepted_activities is 'Of these, accepted by an answer, in whole or in part, also when completed, expired or canceled since.';
comment on column analytics.activities_by_created_day.declined_activities is 'Of these, declined, also when canceled since.';
comment on column analytics.activities_by_created_day.canceled_activities is 'Of these, never answered.';
comment on column analytics.activities_by_created_day.other_activities is 'Of these, in a status without a label, or gone before we saw an answer.';
comment on column analytics.activities_by_created_day.answered_activities is 'Of these, accepted or declined by an answer.';
comment on column analytics.activities_by_created_day.shares is 'Of these, given without an answer, as in a share, which needs none.';
comment on column analytics.activities_by_created_day.completed_activities is 'Of the accepted and shares, completed, also when expired since.';
comment on column analytics.activities_by_created_day.sharing_ended_activities is 'Of the accepted and shares, those whose sharing had ended at freshness.refreshed_at.';
comment on column analytics.activities_by_created_day.gone_activities is 'Of the created, those that the service no longer offers.';
comment on column analytics.activities_by_created_day.answer_rate is '(accepted + declined) / (accepted + declined + canceled), 0 to 1. Null: none of them.';
comment on column analytics.activities_by_created_day.acceptance_rate is 'accepted / answered, 0 to 1, of those who received them. Null: none answered.';
comment on column analytics.activities_by_created_day.completion_rate is 'completed / (accepted + shares), 0 to 1. Null: none of them.';
