-- depends: requirements
-- What was requested, and how it was answered. Items are counted in analytics.items.
create view analytics.requirements_by_created_day as
select
    created_day,
    created_month,
    activity_type,
    in_out_bound,
    direction,
    requirement_code,
    requirement_label,
    count(*) filter (where asked) as asked,
    count(*) filter (where asked and outcome = 'accepted') as accepted,
    count(*) filter (where asked and outcome = 'partly') as partly,
    count(*) filter (where asked and outcome = 'declined') as declined,
    count(*) filter (where asked and outcome = 'pending') as pending,
    count(*) filter (where asked and outcome = 'unanswered') as unanswered,
    count(*) filter (where not asked) as unasked,
    round(
        count(*) filter (where asked and outcome in ('accepted', 'partly'))::numeric
        / nullif(count(*) filter (where asked and outcome in ('accepted', 'partly', 'declined')), 0), 4
    ) as acceptance_rate
from analytics.requirements
group by 1, 2, 3, 4, 5, 6, 7;

comment on view analytics.requirements_by_created_day is
    'One row per day of creation, type, direction and requirement: how often it was requested, and how it was answered. asked = accepted + partly + declined + pending + unanswered.';
comment on column analytics.requirements_by_created_day.created_day is 'Day of the activities'' creation in the configured time zone.';
comment on column analytics.requirements_by_created_day.created_month is 'First day of that month.';
comment on column analytics.requirements_by_created_day.activity_type is 'Code of the activity type.';
comment on column analytics.requirements_by_created_day.in_out_bound is 'IN: received, we answer. OUT: sent, they answer.';
comment on column analytics.requirements_by_created_day.direction is 'Who gives: to us, from us, both ways.';
comment on column analytics.requirements_by_created_day.requirement_code is 'Requirement code, for example RQ_001.';
comment on column analytics.requirements_by_created_day.requirement_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.requirements_by_created_day.asked is 'How often it was requested: once per activity, unless an activity requests it twice.';
comment on column analytics.requirements_by_created_day.accepted is 'Of these, accepted with all items that were asked.';
comment on column analytics.requirements_by_created_day.partly is 'Of these, accepted without some of the items that were asked.';
comment on column analytics.requirements_by_created_day.declined is 'Of these, declined with all items, or with the whole activity.';
comment on column analytics.requirements_by_created_day.pending is 'Of these, in activities that are not answered yet, and still offered.';
comment on column analytics.requirements_by_created_day.unanswered is 'Of these, without an answer that the service tells, in activities that are no longer pending.';
comment on column analytics.requirements_by_created_day.unasked is 'How often it was accepted or declined without a request.';
comment on column analytics.requirements_by_created_day.acceptance_rate is '(accepted + partly) / (accepted + partly + declined), 0 to 1. Null: none answered.';
