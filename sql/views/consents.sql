-- depends: activity_stages, requirement_answers
-- The register of consents. Every other view that speaks of expiry or readability reads it.
-- `offset 0` keeps the lateral query apart, so that a condition on the activity, its counterpart or
-- expires_at finds the answers by the index on activity_id. It also lets no end be computed twice, or
-- for a query that does not ask for it.
create view analytics.consents as
select
    stage.activity_id,
    answer.listed_in,
    answer.requirement_position,
    answer.item_position,
    stage.entity_id,
    stage.direction,
    answer.code,
    answer.item_code,
    case when answer.asked then stage.created_at end as asked_at,
    case when answer.decision in ('given', 'partly', 'declined') then stage.attended_at end as decided_at,
    answer.decision,
    case when answer.given then stage.shared_from end as valid_from,
    case
        when answer.given and bounds.first_end is not null
            then greatest(stage.shared_from, bounds.first_end)
    end as valid_to,
    bounds.why_not is null as readable_now,
    bounds.why_not,
    stage.type as activity_type,
    stage.in_out_bound,
    stage.status,
    stage.day,
    stage.expires_at,
    answer.type,
    answer.category,
    answer.is_item,
    answer.accepted_position,
    answer.accepted_item,
    answer.has_value
from analytics.activity_stages as stage
left join warehouse.entities as entity on entity.id = stage.entity_id
cross join lateral (
    select *
    from analytics.requirement_answers as each
    where each.activity_id = stage.activity_id
    offset 0
) as answer
cross join lateral (
    select
        least(
            stage.expires_at, known.ended_at, known.gone_at, known.unregistered_at, known.erased_at,
            known.replaced_at
        ) as first_end,
        case
            when not answer.given then answer.decision
            when known.erased_at is not null then 'erased'
            when known.unregistered_at is not null then 'unregistered'
            when known.gone_at is not null then 'gone'
            when known.ended_at is not null then 'ended'
            when stage.expires_at <= now() then 'expired'
            when known.replaced_at <= now() then 'replaced'
        end as why_not
    from (
        -- What we found is true now, whatever clock stamped it.
        select
            case when ended.at is not null then least(ended.at, now()) end as ended_at,
            case when stage.gone_at is not null then least(stage.gone_at, now()) end as gone_at,
            case
                when entity.unregistered
                    then least(coalesce(entity.unregistered_at, entity.observed_at), now())
            end as unregistered_at,
            case
                when stage.values_erased_at is not null then least(stage.values_erased_at, now())
            end as erased_at,
            (
                select later.shared_from
                from analytics.activity_stages as later
                inner join warehouse.requirements as theirs
                    on theirs.activity_id = later.activity_id
                    and theirs.disposition = 'accepted'
                    and theirs.code = answer.code
                where answer.given
                    and later.entity_id = stage.entity_id
                    and later.type is not distinct from stage.type
                    and later.in_out_bound is not distinct from stage.in_out_bound
                    and (later.shared_from, later.activity_id) > (stage.shared_from, stage.activity_id)
                    -- The later one has the item, or all items of the requirement.
                    and not exists (
                        select from warehouse.accepted_items as ours
                        where ours.activity_id = stage.activity_id
                            and ours.requirement_position = answer.accepted_position
                            and (not answer.is_item or ours.position = answer.accepted_item)
                            and not exists (
                                select from warehouse.accepted_items as same
                                where same.activity_id = later.activity_id
                                    and same.requirement_position = theirs.position
                                    and same.code = ours.code
                            )
                    )
                order by later.shared_from, later.activity_id
                limit 1
            ) as replaced_at
        from (select stage.ended_at as at offset 0) as ended
        offset 0
    ) as known
    offset 0
) as bounds;

comment on view analytics.consents is
    'The register of consents: what was asked, given or declined, by whom to whom, and from when until when it may be read. One row per activity, requirement and item. Without values and names. Filter by activity_id, entity_id, day or expires_at.';
comment on column analytics.consents.activity_id is 'The activity.';
comment on column analytics.consents.listed_in is 'Array that requirement_position counts in: requested; where nobody asked, accepted or declined.';
comment on column analytics.consents.requirement_position is 'Position of the requirement in that array, from 0.';
comment on column analytics.consents.item_position is 'Position of the item in the requirement, from 0. Null: the requirement itself.';
comment on column analytics.consents.entity_id is 'The counterpart. Null when the service sends none.';
comment on column analytics.consents.direction is 'Who gives: to us (the counterpart gives), from us (we give), both ways. Null: the type or the direction has no meaning in analytics.codes.';
comment on column analytics.consents.code is 'Requirement code, for example RQ_004. Labels: analytics.codes.';
comment on column analytics.consents.item_code is 'Item code, for example PIF_002. Null: the requirement itself, or an item without a code.';
comment on column analytics.consents.asked_at is 'When it was asked: when the activity was created. Null: nobody asked for it.';
comment on column analytics.consents.decided_at is 'When it was given or declined. Null: no decision yet, or the service does not say when.';
comment on column analytics.consents.decision is 'given: with all items that were asked. partly: not all of them. declined. pending: the activity is not answered yet. unanswered: the activity ended without an answer to it, or the service no longer says which.';
comment on column analytics.consents.valid_from is 'Since when it may be read: since the answer, or since creation where there is none. Null: not given.';
comment on column analytics.consents.valid_to is 'Until when it may be read, itself excluded: the least of expires_at, the end by status, gone, unregistered, erased, and a later consent to the same thing, of the same counterpart in an activity of the same type and direction. Never before valid_from. Null: no end is known, or not given.';
comment on column analytics.consents.readable_now is 'True when it may be read now.';
comment on column analytics.consents.why_not is 'Why it may not be read now: pending, declined or unanswered (never given); erased, unregistered (the counterpart), gone (no longer offered), ended (by status), expired (by the clock), replaced. Of several the first in this order. Null: it may be read.';
comment on column analytics.consents.activity_type is 'Code of the activity type.';
comment on column analytics.consents.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.consents.status is 'Activity status as last fetched.';
comment on column analytics.consents.day is 'Day of the activity''s creation in the configured time zone.';
comment on column analytics.consents.expires_at is 'When the sharing period ends by the clock. Null: the service sends no end.';
comment on column analytics.consents.type is 'Type of what was given, for example RTP_002. Null: nothing was given.';
comment on column analytics.consents.category is 'Category of the requirement that was given. Null for items.';
comment on column analytics.consents.is_item is 'False: the row is about the requirement itself. True: about an item of it.';
comment on column analytics.consents.accepted_position is 'Position in accepted_requirements, from 0, as in warehouse.requirements. Null: not given.';
comment on column analytics.consents.accepted_item is 'Position of the item in that accepted requirement, from 0, as in warehouse.accepted_items. Null: not given, or the requirement itself.';
comment on column analytics.consents.has_value is 'True when a value is stored, readable or not.';

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
