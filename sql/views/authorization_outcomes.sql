-- depends: activity_stages, consents
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
    coalesce(codes.final, false) as final,
    stage.stage,
    extract(epoch from activity.attended_at - activity.created_at)::double precision / 3600 as hours_to_answer,
    extract(epoch from activity.completed_at - activity.created_at)::double precision / 3600 as hours_to_completion,
    given.asked,
    given.given,
    given.readable_now,
    given.readable_until,
    case
        when request.state = 'sent' then 'asked'
        when request.state <> 'linked' then request.state
        when stage.stage = 'accepted' and stage.sharing_over then 'expired'
        when stage.stage in ('accepted', 'declined', 'canceled') then stage.stage
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
    ) as accepted
from warehouse.authorization_requests as request
left join warehouse.activities as activity on activity.id = request.activity_id
left join analytics.activity_stages as stage on stage.activity_id = request.activity_id
left join analytics.codes as codes on codes.kind = 'status' and codes.code = activity.status
cross join lateral (
    select
        count(*) filter (where consent.asked_at is not null) as asked,
        count(*) filter (where consent.valid_from is not null) as given,
        count(*) filter (where consent.readable_now) as readable_now,
        max(consent.valid_to) filter (where consent.readable_now) as readable_until
    from analytics.consents as consent
    where consent.activity_id = request.activity_id and not consent.is_item
) as given;

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
comment on column analytics.authorization_outcomes.stage is 'How far the activity came, as in analytics.activity_stages. Null also until a sync has loaded it.';
comment on column analytics.authorization_outcomes.hours_to_answer is 'time_to_answer, in hours.';
comment on column analytics.authorization_outcomes.hours_to_completion is 'time_to_completion, in hours.';
comment on column analytics.authorization_outcomes.asked is 'Number of requirements that the activity requests (analytics.consents).';
comment on column analytics.authorization_outcomes.given is 'Number of requirements that were accepted, in whole or in part.';
comment on column analytics.authorization_outcomes.readable_now is 'Of these, those that can be read now.';
comment on column analytics.authorization_outcomes.readable_until is 'The latest known end of these. Null: none of them has a known end.';
comment on column analytics.authorization_outcomes.result is 'What became of the request: queued, sending, asked (created, not found yet), linked (found, not answered), accepted, declined, canceled (not answered in time), expired (sharing is over), rejected, unknown or failed.';
comment on column analytics.authorization_outcomes.accepted is 'Accepted requirements and items, in the form of a file, for example RQ_002:IDT_001+IDT_002 RQ_005.';
