-- depends: activities, requirements, items
-- The register of consents. What can be read goes by the clock of the reader.
create view analytics.consents as
select
    answer.activity_id,
    answer.listed_in,
    answer.requirement_position,
    answer.item_position,
    activity.entity_id,
    activity.direction,
    answer.requirement_code as code,
    answer.item_code,
    case when answer.asked then activity.created_at end as asked_at,
    answer.answered_at as decided_at,
    answer.outcome as decision,
    answer.readable_from as valid_from,
    -- What ended is over now, whatever clock stamped it.
    case
        when answer.ended_by is not null
            then greatest(answer.readable_from, least(answer.readable_until, now()))
        when answer.readable_until < '9999-12-31 00:00+00' then answer.readable_until
    end as valid_to,
    answer.ended_by is null and coalesce(answer.readable_until > now(), false) as readable_now,
    case
        when answer.readable_from is null then answer.outcome
        when answer.ended_by is not null then answer.ended_by
        when answer.readable_until <= now() then 'expired'
    end as why_not,
    activity.activity_type,
    activity.in_out_bound,
    activity.status,
    activity.created_day,
    activity.expires_at,
    answer.requirement_type,
    answer.category,
    answer.is_item,
    answer.accepted_position,
    answer.accepted_item,
    answer.has_value,
    answer.is_latest,
    answer.not_shown_since
from (
    select
        answer.activity_id,
        answer.listed_in,
        answer.requirement_position,
        null::integer as item_position,
        answer.requirement_code,
        null as item_code,
        answer.is_asked as asked,
        answer.answered_at,
        answer.outcome,
        answer.readable_from,
        answer.readable_until,
        answer.ended_by,
        answer.requirement_type,
        answer.category,
        false as is_item,
        answer.accepted_position,
        null::integer as accepted_item,
        answer.has_value,
        answer.is_latest,
        answer.not_shown_since
    from analytics.requirements as answer
    union all
    select
        answer.activity_id,
        answer.listed_in,
        answer.requirement_position,
        answer.item_position,
        answer.requirement_code,
        answer.item_code,
        answer.is_asked as asked,
        answer.answered_at,
        answer.outcome,
        answer.readable_from,
        answer.readable_until,
        answer.ended_by,
        answer.item_type,
        null as category,
        true as is_item,
        answer.accepted_position,
        answer.accepted_item,
        answer.has_value,
        answer.is_latest,
        answer.not_shown_since
    from analytics.items as answer
) as answer
left join analytics.activities as activity on activity.activity_id = answer.activity_id;

comment on view analytics.consents is
    'The register of consents: one row per activity, requirement and item, with what may be read now. Requirements and items together: to count, filter by is_item, or use analytics.requirements and analytics.items.';
comment on column analytics.consents.item_position is 'Position of the item in the requirement, from 0. Null: the requirement itself.';
comment on column analytics.consents.code is 'Requirement code, for example RQ_004. Labels: analytics.codes.';
comment on column analytics.consents.item_code is 'Item code, for example PIF_002. Null: the requirement itself, or an item without a code.';
comment on column analytics.consents.asked_at is 'When it was asked: when the activity was created. Null: nobody asked for it, as in a share.';
comment on column analytics.consents.decided_at is 'When it was given or declined. Null: no decision yet, or the service does not say when.';
comment on column analytics.consents.decision is 'accepted: with all items that were asked. partly: not all of them. declined. pending: the activity is not answered yet. not_known: the activity was accepted or shared, and the service never showed a decision about this. unanswered: the activity ended without an answer to it. share: given in a share, which nobody asks for or accepts.';
comment on column analytics.consents.valid_from is 'Since when it may be read: since the answer, or since creation where there is none. Null: not given.';
comment on column analytics.consents.valid_to is 'Until when it may be read, itself excluded: the least of expires_at, the end by status, gone, unregistered, erased. A later share ends none. Never before valid_from. Null: no end is known, or not given.';
comment on column analytics.consents.readable_now is 'True when it may be read now.';
comment on column analytics.consents.why_not is 'Why it may not be read now: pending, declined, not_known or unanswered (never given); expired (its period), ended (another status before that), gone (no longer offered), unregistered (the counterpart), erased. Of several, what came first. Null: it may be read.';
comment on column analytics.consents.is_item is 'False: the row is about the requirement itself. True: about an item of it.';
comment on column analytics.consents.not_shown_since is 'When the service was first found to show the decision no longer, which still counts. Null: it is shown, or there is none.';
comment on column analytics.consents.is_latest is 'False when the same counterpart and direction shared the same thing again later. Both can be read until they end. Null: not given.';

-- Without `set`, so that PostgreSQL can look through it and use conditions on its result.
create or replace function analytics.consents_on(at timestamptz) returns setof analytics.consents
language sql
stable
as $$
    select *
    from analytics.consents
    where valid_from <= at and at < coalesce(valid_to, 'infinity')
$$;
comment on function analytics.consents_on(timestamptz) is
    'The consents that could be read at an instant, by what we know today. readable_now and why_not are about now.';
