-- depends: activities, requirements, items, consents
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
    chosen.activity_id,
    activity.status as activity_status,
    activity.created_at as activity_created_at,
    activity.valid_until,
    activity.answered_at as attended_at,
    activity.completed_at,
    activity.answered_at - activity.created_at as time_to_answer,
    activity.completed_at - activity.created_at as time_to_completion,
    coalesce(activity.is_final, false) as is_final,
    activity.outcome,
    activity.hours_to_answer,
    activity.hours_to_completion,
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
            concat_ws(':', requirement.requirement_code, (
                select string_agg(item.item_code, '+' order by item.item_number)
                from analytics.items as item
                where item.activity_id = requirement.activity_id
                    and item.requirement_number = requirement.requirement_number
                    and item.is_accepted
            )), ' ' order by requirement.requirement_number
        )
        from analytics.requirements as requirement
        where requirement.activity_id = chosen.activity_id and requirement.is_accepted
    ) as accepted_codes,
    activity.sharing_ended,
    (request.requested_at at time zone calendar.time_zone)::date as requested_day,
    date_trunc('month', request.requested_at at time zone calendar.time_zone)::date as requested_month
from warehouse.authorization_requests as request
cross join sync.calendar
-- The service may create more than one activity for a call: the person answers one of them.
cross join lateral (
    select
        case
            when request.more_activity_ids = '{}' then request.activity_id
            else coalesce((
                select either.activity_id
                from analytics.activities as either
                where either.activity_id = any(request.activity_id || request.more_activity_ids)
                    and either.answered_at is not null
                order by either.answered_at
                limit 1
            ), request.activity_id)
        end as activity_id
) as chosen
left join analytics.activities as activity on activity.activity_id = chosen.activity_id
cross join lateral (
    select
        count(consent.asked_at) as requirements_asked,
        count(consent.valid_from) as requirements_accepted,
        count(*) filter (where consent.readable_now) as requirements_readable,
        max(consent.valid_to) filter (where consent.readable_now) as readable_until
    from analytics.consents as consent
    where consent.activity_id = chosen.activity_id and not consent.is_item
) as given;

comment on view analytics.authorization_outcomes is 'One row per authorization request (warehouse.authorization_requests) with its outcome, without phone numbers and messages.';
comment on column analytics.authorization_outcomes.request_id is 'The request.';
comment on column analytics.authorization_outcomes.reference is 'Name that the writer gave to the request. Personal: it can name somebody, and is erased.';
comment on column analytics.authorization_outcomes.activity_id is 'The activity that the request created; of several, the one that was answered first. Null: none, or not found yet.';
comment on column analytics.authorization_outcomes.activity_status is 'Status of that activity. Null also until a sync has loaded it.';
comment on column analytics.authorization_outcomes.activity_created_at is 'When the service created the activity.';
comment on column analytics.authorization_outcomes.attended_at is 'When the receiver accepted or declined.';
comment on column analytics.authorization_outcomes.time_to_answer is 'From creation to the receiver''s answer.';
comment on column analytics.authorization_outcomes.time_to_completion is 'From creation to completion.';
comment on column analytics.authorization_outcomes.outcome is 'How the activity was answered, as in analytics.activities. Null also until a sync has loaded it.';
comment on column analytics.authorization_outcomes.requirements_asked is 'Number of requirements that the activity requests (analytics.requirements).';
comment on column analytics.authorization_outcomes.requirements_accepted is 'Number of requirements that were accepted, in whole or in part.';
comment on column analytics.authorization_outcomes.requirements_readable is 'Of these, those that can be read now.';
comment on column analytics.authorization_outcomes.readable_until is 'The latest known end of these. Null: none of them has a known end.';
comment on column analytics.authorization_outcomes.result is 'What became of the request: queued, sending, asked (created, not found yet), linked (found, not answered), accepted, declined, canceled (not answered in time), rejected, unknown or failed.';
comment on column analytics.authorization_outcomes.accepted_codes is 'Accepted requirements and items, in the form of a file, for example RQ_002:IDT_001+IDT_002 RQ_005.';
comment on column analytics.authorization_outcomes.requested_day is 'Day of requested_at in the configured time zone.';
comment on column analytics.authorization_outcomes.requested_month is 'First day of that month.';
