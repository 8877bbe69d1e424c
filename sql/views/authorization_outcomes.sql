-- Each authorization request, the activity it created and the receiver's answer, without phone and message.
create view analytics.authorization_outcomes as
select
    request.id as request_id,
    request.reference,
    request.source,
    request.state,
    request.attempts,
    request.requested_at,
    request.sent_at,
    request.activity_id,
    activity.status as activity_status,
    activity.created_at as activity_created_at,
    activity.valid_until,
    activity.attended_at,
    activity.completed_at,
    activity.attended_at - activity.created_at as time_to_answer,
    activity.completed_at - activity.created_at as time_to_completion,
    coalesce(codes.final, false) as final
from warehouse.authorization_requests as request
left join warehouse.activities as activity on activity.id = request.activity_id
left join analytics.codes as codes on codes.kind = 'status' and codes.code = activity.status;

comment on view analytics.authorization_outcomes is 'One row per authorization request (warehouse.authorization_requests) with its outcome, without phone numbers and messages.';
comment on column analytics.authorization_outcomes.request_id is 'The request.';
comment on column analytics.authorization_outcomes.reference is 'Name that the writer gave to the request.';
comment on column analytics.authorization_outcomes.source is 'Name of the file that the request came from. Null: inserted by SQL.';
comment on column analytics.authorization_outcomes.state is 'State of the request, as in warehouse.authorization_requests.state.';
comment on column analytics.authorization_outcomes.attempts is 'Number of calls begun.';
comment on column analytics.authorization_outcomes.requested_at is 'When the request was inserted.';
comment on column analytics.authorization_outcomes.sent_at is 'When the last call began, by the service''s clock.';
comment on column analytics.authorization_outcomes.activity_id is 'The activity that the request created. Null: none, or not found yet.';
comment on column analytics.authorization_outcomes.activity_status is 'Status of that activity. Null also until a sync has loaded it.';
comment on column analytics.authorization_outcomes.activity_created_at is 'When the service created the activity.';
comment on column analytics.authorization_outcomes.valid_until is 'Until when the receiver can answer.';
comment on column analytics.authorization_outcomes.attended_at is 'When the receiver accepted or declined.';
comment on column analytics.authorization_outcomes.completed_at is 'When the activity was completed.';
comment on column analytics.authorization_outcomes.time_to_answer is 'From creation to the receiver''s answer.';
comment on column analytics.authorization_outcomes.time_to_completion is 'From creation to completion.';
comment on column analytics.authorization_outcomes.final is 'True when the status ends the process (analytics.codes).';
