-- depends: activities
-- stored by: activity_id, requirement_number
-- The fact of requirements: one row per activity and requirement. The three arrays of the details are
-- matched by code; where an array has a code twice, the first belongs to the first. `sync.answers` matches
-- requirements and their items, for analytics.items as well.
create table analytics.requirements (
    activity_id uuid,
    requirement_number integer,
    requirement_code text,
    requirement_label text,
    requirement_type text,
    category text,
    entity_id uuid,
    activity_type text,
    in_out_bound text,
    direction text,
    created_day date,
    created_month date,
    asked boolean,
    accepted boolean,
    outcome text,
    answered_by text,
    answered_at timestamptz,
    answered_day date,
    readable_from timestamptz,
    readable_until timestamptz,
    ended_by text,
    has_value boolean,
    listed_in text,
    requirement_position integer,
    accepted_position integer,
    constraint requirements_key primary key (activity_id, requirement_number)
);

create function sync.answers(ids uuid[]) returns table (
    activity_id uuid,
    requirement_number integer,
    item_number integer,
    is_item boolean,
    requirement_code text,
    item_code text,
    type text,
    category text,
    asked boolean,
    accepted boolean,
    outcome text,
    has_value boolean,
    listed_in text,
    requirement_position integer,
    item_position integer,
    accepted_position integer,
    accepted_item integer
)
language sql
stable
as $$
    with numbered as (
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
        where ids is null or activity_id = any(ids)
    ),

    elements as (
        select
            numbered.*,
            false as is_item,
            null::integer as item_position,
            null as item_code,
            null::bigint as item_occurrence
        from numbered
        union all
        select
            owner.activity_id,
            owner.disposition,
            owner.position,
            owner.code,
            item.type,
            null,
            item.has_value,
            owner.occurrence,
            true,
            item.position,
            item.code,
            row_number() over (
                partition by owner.activity_id, owner.disposition, owner.position, item.code
                order by item.position
            )
        from numbered as owner
        inner join (
            select
                activity_id, disposition, requirement_position, position, code,
                null as type, false as has_value
            from warehouse.requirement_items
            where ids is null or activity_id = any(ids)
            union all
            select
                activity_id, 'accepted', requirement_position, position, code,
                type, value is not null
            from warehouse.accepted_items
            where ids is null or activity_id = any(ids)
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
            -- Where it is listed first: number of the array, position in it.
            min(array[array_position(array['requested', 'accepted', 'declined'], disposition), position]) as listed,
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
            bool_or(requested_item is not null and accepted_item is null) over requirement as item_missing,
            min(listed) over requirement as requirement_listed
        from matched
        window requirement as (partition by activity_id, code, occurrence)
    ),

    counted as (
        select
            related.*,
            coalesce(requested_item, accepted_item, declined_item) as item_position,
            dense_rank() over (partition by activity_id order by requirement_listed) as requirement_number
        from related
    )

    select
        answer.activity_id,
        (answer.requirement_number - 1)::integer,
        (row_number() over (
            partition by answer.activity_id, answer.requirement_number, answer.is_item
            order by answer.listed[1], answer.item_position
        ) - 1)::integer,
        answer.is_item,
        answer.code,
        answer.item_code,
        answer.type,
        answer.category,
        -- A requirement that is requested without naming items asks for all of them.
        answer.requested_position is not null
        or (answer.is_item and answer.requirement_requested and not answer.items_requested),
        answer.accepted_position is not null,
        case
            when answer.accepted_position is not null and answer.is_item then 'accepted'
            when answer.accepted_position is not null then
                case
                    when answer.item_missing or answer.requirement_declined then 'partly'
                    else 'accepted'
                end
            when answer.declined_position is not null then 'declined'
            -- A requirement that is declined without naming items is declined with all of them.
            when answer.requirement_declined and not answer.items_declined then 'declined'
        end,
        answer.has_value,
        (array['requested', 'accepted', 'declined'])[answer.listed[1]],
        answer.listed[2],
        answer.item_position,
        answer.accepted_position,
        answer.accepted_item
    from counted as answer
$$;

create function sync.fresh_requirements(ids uuid[]) returns setof analytics.requirements
language sql
stable
as $$
    select
        answer.activity_id,
        answer.requirement_number,
        answer.requirement_code,
        label.label,
        answer.type,
        answer.category,
        activity.entity_id,
        activity.activity_type,
        activity.in_out_bound,
        activity.direction,
        activity.created_day,
        activity.created_month,
        answer.asked,
        answer.accepted,
        decided.outcome,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_by end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_at end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_day end,
        case when answer.accepted then activity.shared_from end,
        case when answer.accepted then coalesce(activity.sharing_ends_at, '9999-12-31 00:00+00') end,
        case when answer.accepted then activity.sharing_ended_by end,
        answer.has_value,
        answer.listed_in,
        answer.requirement_position,
        answer.accepted_position
    from (select * from sync.answers(ids) where not is_item offset 0) as answer
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as label on label.kind = 'requirement' and label.code = answer.requirement_code
    cross join lateral (
        select coalesce(
            answer.outcome,
            case when activity.outcome in ('pending', 'declined') then activity.outcome else 'unanswered' end
        ) as outcome
    ) as decided
$$;

create index requirements_created_day on analytics.requirements (created_day);
create index requirements_counterpart on analytics.requirements (entity_id);
-- Finds whether the same counterpart shared the same thing again (analytics.consents).
create index requirements_shared
on analytics.requirements (entity_id, requirement_code, readable_from, activity_id, direction)
where readable_from is not null;
create index requirements_code on analytics.requirements (requirement_code, created_day);
create index requirements_readable on analytics.requirements (readable_until);

comment on table analytics.requirements is
    'One row per activity and requirement: what was asked, how it was answered, until when it can be read. Fact: its items are in analytics.items.';
comment on column analytics.requirements.requirement_number is 'Number of the requirement in the activity, from 0: the requested ones first, then what was only accepted, then what was only declined.';
comment on column analytics.requirements.requirement_code is 'Requirement code, for example RQ_004.';
comment on column analytics.requirements.requirement_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.requirements.requirement_type is 'Type of what was accepted, for example RTP_002. Null: not accepted.';
comment on column analytics.requirements.category is 'Category of the requirement that was accepted.';
comment on column analytics.requirements.asked is 'True when it was requested. False: accepted or declined without a request.';
comment on column analytics.requirements.accepted is 'True when it was accepted, in whole or in part.';
comment on column analytics.requirements.outcome is 'accepted: with all items that were asked. partly: not all of them. declined. pending: the activity is not answered yet. unanswered: the activity ended without an answer to it, or the service no longer says which.';
comment on column analytics.requirements.answered_by is 'Who accepted or declined it: us or them. Null: not answered, or shared without being asked.';
comment on column analytics.requirements.readable_from is 'Since when it can be read. Null: not accepted.';
comment on column analytics.requirements.readable_until is 'Until when it can be read; it can be read now if this is after now(). The year 9999: no end is known. Null: not accepted.';
comment on column analytics.requirements.ended_by is 'What ended the reading, other than the period: erased, unregistered, gone, ended (the status). Null: only the period can end it.';
comment on column analytics.requirements.has_value is 'True when a value is stored, readable or not.';
comment on column analytics.requirements.listed_in is 'Array that requirement_position counts in: requested; where nobody asked, accepted or declined.';
comment on column analytics.requirements.requirement_position is 'Position of the requirement in that array, from 0.';
comment on column analytics.requirements.accepted_position is 'Position of the requirement in accepted_requirements, from 0. Null: not accepted.';
