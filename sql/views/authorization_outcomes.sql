-- depends: activities, requirements
-- Each authorization request, the activity it created and the receiver's answer, without phone and message.
create view analytics.authorization_outcomes as
select
    request.id as request_id,
    case when (select analytics.may_see_personal()) then request.reference end as reference,
    request.source,
    request.state,
    request.attempts,
    request.requested_at,
    request.sent_at,
    request.activity_id,
    activity.status as activity_status,
    activity.created_at as activity_created_at,
    activity.valid_until,
    activity.answered_at as attended_at,
    activity.completed_at,
    activity.answered_at - activity.created_at as time_to_answer,
    activity.completed_at - activity.created_at as time_to_completion,
    coalesce(activity.final, false) as final,
    activity.outcome,
    extract(epoch from activity.answered_at - activity.created_at)::double precision / 3600 as hours_to_answer,
    extract(epoch from activity.completed_at - activity.created_at)::double precision / 3600 as hours_to_completion,
    given.requirements_asked,
    given.requirements_accepted,
    given.requirements_readable,
    given.readable_until,
    case
        when request.state = 'sent' then 'asked'
        when request.state <> 'linked' then request.state
        when activity.outcome in ('accepted', 'declined', 'canceled') then activity.outcome
        else 'linked'
    end as result,
    (
        -- In the form of a file: RQ_002:IDT_001+IDT_002 RQ_005.
        select string_agg(
            concat_ws(':', requirement.code, (
                select string_agg(item.code, '+' order by item.position)
                from warehouse.accepted_items as item
                where item.activity_id = requirement.activity_id
                    and item.requirement_position = requirement.position
            )), ' ' order by requirement.position
        )
        from warehouse.requirements as requirement
        where requirement.activity_id = request.activity_id
            and requirement.disposition = 'accepted'
    ) as accepted,
    activity.sharing_ended,
    (request.requested_at at time zone zone.name)::date as requested_day,
    date_trunc('month', request.requested_at at time zone zone.name)::date as requested_month
from warehouse.authorization_requests as request
cross join (
    select coalesce(
        (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
    ) as name
) as zone
left join analytics.activities as activity on activity.activity_id = request.activity_id
cross join lateral (
    select
        count(*) filter (where answer.asked) as requirements_asked,
        count(*) filter (where answer.accepted) as requirements_accepted,
        count(*) filter (where answer.readable_until > now() and answer.ended_by is null)
        as requirements_readable,
        nullif(max(answer.readable_until) filter (
            where answer.readable_until > now() and answer.ended_by is null
        ), '9999-12-31 00:00+00') as readable_until
    from analytics.requirements as answer
    where answer.activity_id = request.activity_id
) as given;

comment on view analytics.authorization_outcomes is 'One row per authorization request (warehouse.authorization_requests) with its outcome, without phone numbers and messages.';
comment on column analytics.authorization_outcomes.request_id is 'The request.';
comment on column analytics.authorization_outcomes.reference is 'Name that the writer gave to the request. Personal: it can name somebody, and is erased.';
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
comment on column analytics.authorization_outcomes.outcome is 'How the activity was answered, as in analytics.activities. Null also until a sync has loaded it.';
comment on column analytics.authorization_outcomes.hours_to_answer is 'time_to_answer, in hours.';
comment on column analytics.authorization_outcomes.hours_to_completion is 'time_to_completion, in hours.';
comment on column analytics.authorization_outcomes.requirements_asked is 'Number of requirements that the activity requests (analytics.requirements).';
comment on column analytics.authorization_outcomes.requirements_accepted is 'Number of requirements that were accepted, in whole or in part.';
comment on column analytics.authorization_outcomes.requirements_readable is 'Of these, those that can be read now.';
comment on column analytics.authorization_outcomes.readable_until is 'The latest known end of these. Null: none of them has a known end.';
comment on column analytics.authorization_outcomes.result is 'What became of the request: queued, sending, asked (created, not found yet), linked (found, not answered), accepted, declined, canceled (not answered in time), rejected, unknown or failed.';
comment on column analytics.authorization_outcomes.accepted is 'Accepted requirements and items, in the form of a file, for example RQ_002:IDT_001+IDT_002 RQ_005.';
comment on column analytics.authorization_outcomes.sharing_ended is 'True when what was accepted can no longer be read (analytics.activities). Changes no result.';
comment on column analytics.authorization_outcomes.requested_day is 'Day of requested_at in the configured time zone.';
comment on column analytics.authorization_outcomes.requested_month is 'First day of that month.';
