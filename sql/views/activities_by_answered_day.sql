-- depends: activities
create view analytics.activities_by_answered_day as
select
    answered_day,
    answered_week,
    answered_month,
    activity_type,
    activity_type_label,
    answered_by,
    count(*) as answered_activities,
    count(*) filter (where outcome = 'accepted') as accepted_activities,
    count(*) filter (where outcome = 'declined') as declined_activities,
    round(avg((outcome = 'accepted')::integer) filter (where outcome in ('accepted', 'declined')), 4) as acceptance_rate
from analytics.activities
where answered_day is not null
group by 1, 2, 3, 4, 5, 6;

comment on view analytics.activities_by_answered_day is
    'One row per day of the answer, type and who answered: how many activities were accepted and declined on that day. For what became of the activities created on a day: activities_by_created_day.';
comment on column analytics.activities_by_answered_day.answered_activities is 'Number of activities answered on that day.';
comment on column analytics.activities_by_answered_day.accepted_activities is 'Of these, accepted in whole or in part.';
comment on column analytics.activities_by_answered_day.declined_activities is 'Of these, declined.';
comment on column analytics.activities_by_answered_day.acceptance_rate is 'accepted / (accepted + declined), 0 to 1.';
