-- depends: activity_stages
-- What was asked and how it was answered, requirement by requirement and item by item. The three arrays of
-- the details are matched by code. Where an array has a code twice, the first matches the first.
-- Everything is grouped by activity, so that a condition on activity_id reaches the tables.
create view analytics.requirement_answers as
with numbered as not materialized (
    select
        activity_id,
        disposition,
        position,
        code,
        type,
        category,
        value is not null as has_value,
        row_number() over (partition by activity_id, disposition, code order by position) as occurrence
    from warehouse.requirements
),

elements as (
    select
        activity_id,
        disposition,
        position,
        code,
        occurrence,
        false as is_item,
        null::integer as item_position,
        null as item_code,
        null::bigint as item_occurrence,
        type,
        category,
        has_value
    from numbered
    union all
    select
        owner.activity_id,
        owner.disposition,
        owner.position,
        owner.code,
        owner.occurrence,
        true,
        item.position,
        item.code,
        row_number() over (
            partition by owner.activity_id, owner.disposition, owner.position, item.code
            order by item.position
        ),
        item.type,
        null,
        item.has_value
    from numbered as owner
    inner join (
        select
            activity_id, disposition, requirement_position, position, code,
            null as type, false as has_value
        from warehouse.requirement_items
        union all
        select
            activity_id, 'accepted', requirement_position, position, code,
            type, value is not null
        from warehouse.accepted_items
    ) as item
        on item.activity_id = owner.activity_id
        and item.disposition = owner.disposition
        and item.requirement_position = owner.position
),

matched as (
    select
        activity_id,
        code,
        occurrence,
        is_item,
        item_code,
        max(position) filter (where disposition = 'requested') as requested_position,
        max(position) filter (where disposition = 'accepted') as accepted_position,
        max(position) filter (where disposition = 'declined') as declined_position,
        max(item_position) filter (where disposition = 'requested') as requested_item,
        max(item_position) filter (where disposition = 'accepted') as accepted_item,
        max(item_position) filter (where disposition = 'declined') as declined_item,
        max(type) as type,
        max(category) as category,
        coalesce(bool_or(has_value), false) as has_value
    from elements
    group by activity_id, code, occurrence, is_item, item_code, item_occurrence
),

related as (
    select
        matched.*,
        bool_or(requested_position is not null) over requirement as requirement_requested,
        bool_or(declined_position is not null) over requirement as requirement_declined,
        bool_or(requested_item is not null) over requirement as items_requested,
        bool_or(declined_item is not null) over requirement as items_declined,
        bool_or(requested_item is not null and accepted_item is null) over requirement as item_missing
    from matched
    window requirement as (partition by activity_id, code, occurrence)
)

select
    answer.activity_id,
    stage.day,
    stage.type as activity_type,
    stage.in_out_bound,
    stage.direction,
    stage.entity_id,
    answer.code,
    answer.is_item,
    answer.item_code,
    answer.type,
    answer.category,
    case
        when answer.requested_position is not null then 'requested'
        when answer.accepted_position is not null then 'accepted'
        else 'declined'
    end as listed_in,
    coalesce(
        answer.requested_position, answer.accepted_position, answer.declined_position
    ) as requirement_position,
    coalesce(answer.requested_item, answer.accepted_item, answer.declined_item) as item_position,
    answer.accepted_position,
    answer.accepted_item,
    -- A requirement that is requested without naming items asks for all of them.
    answer.requested_position is not null
    or (answer.is_item and answer.requirement_requested and not answer.items_requested) as asked,
    answer.accepted_position is not null as given,
    case
        when answer.accepted_position is not null and answer.is_item then 'given'
        when answer.accepted_position is not null then
            case
                when answer.item_missing or answer.requirement_declined then 'partly'
                else 'given'
            end
        when answer.declined_position is not null then 'declined'
        -- A requirement that is declined without naming items is declined with all of them.
        when answer.requirement_declined and not answer.items_declined then 'declined'
        when stage.stage in ('pending', 'declined') then stage.stage
        else 'unanswered'
    end as decision,
    answer.has_value
from related as answer
inner join analytics.activity_stages as stage on stage.activity_id = answer.activity_id;

comment on view analytics.requirement_answers is
    'What was asked and how it was answered: one row per activity, requirement and item. analytics.consents adds when, and until when. Filter by activity_id.';
comment on column analytics.requirement_answers.activity_id is 'The activity.';
comment on column analytics.requirement_answers.day is 'Day of the activity''s creation in the configured time zone.';
comment on column analytics.requirement_answers.activity_type is 'Code of the activity type.';
comment on column analytics.requirement_answers.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.requirement_answers.direction is 'Who gives: to us, from us, both ways.';
comment on column analytics.requirement_answers.entity_id is 'The counterpart. Null when the service sends none.';
comment on column analytics.requirement_answers.code is 'Requirement code, for example RQ_004.';
comment on column analytics.requirement_answers.is_item is 'False: the row is about the requirement itself. True: about an item of it.';
comment on column analytics.requirement_answers.item_code is 'Item code, for example PIF_002. Null: the requirement itself, or an item without a code.';
comment on column analytics.requirement_answers.type is 'Type of what was given, for example RTP_002. Null: nothing was given.';
comment on column analytics.requirement_answers.category is 'Category of the requirement that was given. Null for items.';
comment on column analytics.requirement_answers.listed_in is 'Array that requirement_position counts in: requested; where nobody asked, accepted or declined.';
comment on column analytics.requirement_answers.requirement_position is 'Position of the requirement in that array, from 0.';
comment on column analytics.requirement_answers.item_position is 'Position of the item in the requirement, from 0: of the requested one, else of the accepted, else of the declined. Null: the requirement itself.';
comment on column analytics.requirement_answers.accepted_position is 'Position in accepted_requirements, from 0. Null: not given.';
comment on column analytics.requirement_answers.accepted_item is 'Position of the item in that accepted requirement, from 0. Null: not given, or the requirement itself.';
comment on column analytics.requirement_answers.asked is 'True when it was requested. An item also when its requirement was requested without naming items.';
comment on column analytics.requirement_answers.given is 'True when it was accepted, in whole or in part.';
comment on column analytics.requirement_answers.decision is 'given: with all items that were asked. partly: not all of them. declined. pending: the activity is not answered yet. unanswered: the activity ended without an answer to it, or the service no longer says which.';
comment on column analytics.requirement_answers.has_value is 'True when a value is stored, readable or not.';
