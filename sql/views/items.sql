-- depends: activities, requirements
-- stored by: activity_id, requirement_number, item_number
-- latest by: requirement_code, item_code
-- The fact of items: one row per activity, requirement and item. The three arrays of a requirement's items
-- are matched as the requirements are.
create table analytics.items (
    activity_id uuid,
    requirement_number integer,
    item_number integer,
    requirement_code text,
    requirement_label text,
    item_code text,
    item_label text,
    item_type text,
    entity_id uuid,
    activity_type text,
    in_out_bound text,
    direction text,
    created_day date,
    created_month date,
    is_asked boolean,
    is_accepted boolean,
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
    item_position integer,
    accepted_position integer,
    accepted_item integer,
    is_latest boolean,
    not_shown_since timestamptz,
    is_in_acceptance_rate boolean,
    constraint items_key primary key (activity_id, requirement_number, item_number)
);

create function sync.fresh_items(ids uuid[]) returns setof analytics.items
language sql
stable
as $$
    with listed as (
        select
            requirement.activity_id, requirement.requirement_number, item.disposition, item.position, item.code,
            null as type, false as has_value, true as asked, null::bigint as occurrence, item.disposition as decision,
            null::timestamptz as shown_until
        from warehouse.requirement_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.requirement_position = item.requirement_position
        where item.disposition = 'requested' and requirement.listed_in = 'requested' and (ids is null or item.activity_id = any(ids))
        union all
        select
            requirement.activity_id, requirement.requirement_number, item.disposition, item.position, item.code,
            null, false, false, null, item.disposition, null
        from warehouse.requirement_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.declined_position = item.requirement_position
        where item.disposition = 'declined' and (ids is null or item.activity_id = any(ids))
        union all
        select
            requirement.activity_id, requirement.requirement_number, 'accepted', item.position, item.code,
            item.type, item.value is not null, false, null, 'accepted', null
        from warehouse.accepted_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.accepted_position = item.requirement_position
        where ids is null or item.activity_id = any(ids)
        union all
        select
            requirement.activity_id, requirement.requirement_number, 'kept', null, kept.item_code,
            kept.type, false, kept.asked, kept.item_occurrence, kept.decision, kept.shown_until
        from warehouse.kept_decisions as kept
        inner join analytics.requirements as requirement
            on requirement.activity_id = kept.activity_id
            and requirement.requirement_code is not distinct from kept.requirement_code
            and requirement.occurrence = kept.requirement_occurrence
        where kept.item_occurrence is not null and (ids is null or kept.activity_id = any(ids))
    ),

    numbered as (
        select
            activity_id, requirement_number, disposition, position, code, type, has_value, asked, decision, shown_until,
            coalesce(
                occurrence,
                row_number() over (
                    partition by activity_id, requirement_number, disposition, code order by position
                ) - 1
            ) as occurrence
        from listed
    ),

    matched as (
        select
            activity_id,
            requirement_number,
            code,
            occurrence,
            max(position) filter (where disposition = 'requested') as requested_item,
            max(position) filter (where disposition = 'accepted') as accepted_item,
            max(position) filter (where disposition = 'declined') as declined_item,
            bool_or(decision = 'accepted') as accepted,
            bool_or(decision = 'declined') as declined,
            bool_or(asked) as asked,
            max(shown_until) as not_shown_since,
            max(type) as type,
            bool_or(has_value) as has_value
        from numbered
        group by activity_id, requirement_number, code, occurrence
    ),

    answers as (
        select
            matched.*,
            row_number() over (
                partition by activity_id, requirement_number
                order by requested_item, accepted_item, declined_item, code, occurrence
            ) - 1 as item_number,
            bool_or(asked) over requirement as items_asked,
            bool_or(declined) over requirement as items_declined,
            bool_or(accepted) over requirement as items_accepted
        from matched
        window requirement as (partition by activity_id, requirement_number)
    )

    select
        answer.activity_id,
        answer.requirement_number,
        answer.item_number::integer,
        requirement.requirement_code,
        requirement.requirement_label,
        answer.code,
        label.label,
        answer.type,
        requirement.entity_id,
        requirement.activity_type,
        requirement.in_out_bound,
        requirement.direction,
        requirement.created_day,
        requirement.created_month,
        decided.asked,
        answer.accepted,
        decided.outcome,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_by end,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_at end,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_day end,
        case when answer.accepted then activity.shared_from end,
        case when answer.accepted then activity.sharing_ends_at end,
        case when answer.accepted then activity.sharing_ended_by end,
        answer.has_value,
        place.listed_in,
        case place.listed_in
            when 'requested' then requirement.requirement_position
            when 'accepted' then requirement.accepted_position
            when 'declined' then requirement.declined_position
            else requirement.requirement_number
        end,
        coalesce(answer.requested_item, answer.accepted_item, answer.declined_item, answer.item_number)::integer,
        case when answer.accepted_item is not null then requirement.accepted_position end,
        answer.accepted_item,
        case
            when not answer.accepted then null
            when num_nulls(requirement.entity_id, requirement.requirement_code, answer.code) > 0 then true
            when ids is not null then coalesce(stored.is_latest, true)
            else rank() over (
                partition by
                    answer.accepted, requirement.entity_id, requirement.direction,
                    requirement.requirement_code, answer.code
                order by activity.shared_from desc, answer.activity_id desc
            ) = 1
        end,
        answer.not_shown_since,
        decided.asked
        and decided.outcome in ('accepted', 'declined')
        and requirement.is_in_acceptance_rate
        and not bool_or(decided.outcome = 'not_known') over (partition by answer.activity_id)
    from answers as answer
    inner join analytics.requirements as requirement
        on requirement.activity_id = answer.activity_id
        and requirement.requirement_number = answer.requirement_number
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as label on label.kind = 'item' and label.code = answer.code
    left join analytics.items as stored
        on stored.activity_id = answer.activity_id
        and stored.requirement_number = answer.requirement_number
        and stored.item_number = answer.item_number
    cross join lateral (
        select
            -- A requirement that is requested without naming items asks for all of them.
            requirement.is_asked and (answer.asked or not answer.items_asked) as asked,
            case
                when answer.accepted and activity.outcome = 'share' then 'share'
                when answer.accepted then 'accepted'
                when answer.declined then 'declined'
                -- A requirement that is declined without naming items is declined with all of them.
                when not answer.items_declined and (
                    requirement.declined_position is not null
                    or requirement.not_shown_since is not null and exists (
                        select
                        from warehouse.kept_decisions as kept
                        where kept.activity_id = requirement.activity_id
                            and kept.requirement_code is not distinct from requirement.requirement_code
                            and kept.requirement_occurrence = requirement.occurrence
                            and kept.item_occurrence is null
                            and kept.decision = 'declined'
                    )
                ) then 'declined'
                when activity.outcome in ('pending', 'declined') then activity.outcome
                -- Of a requirement that was accepted with some items, the others were left out.
                when activity.outcome in ('accepted', 'share') and not answer.items_accepted then 'not_known'
                else 'unanswered'
            end as outcome
    ) as decided
    cross join lateral (
        select
            case
                when answer.requested_item is not null then 'requested'
                when answer.accepted_item is not null then 'accepted'
                when answer.declined_item is not null then 'declined'
                else 'kept'
            end as listed_in
    ) as place
$$;

create index items_created_day on analytics.items (created_day);
create index items_counterpart on analytics.items (entity_id);

comment on table analytics.items is
    'One row per activity, requirement and item: what was asked, how it was answered, until when it can be read. Fact: an item belongs to its requirement by activity_id and requirement_number.';
comment on column analytics.items.item_number is 'Number of the item in its requirement, from 0.';
comment on column analytics.items.item_code is 'Item code, for example PIF_002. Null: an item without a code.';
comment on column analytics.items.item_label is 'Label of the item. Null: the code has no label.';
comment on column analytics.items.item_type is 'Type of what was accepted, for example RTP_002. Null: not accepted.';
comment on column analytics.items.is_asked is 'True when it was requested, also with its whole requirement. False: given in a share, or accepted or declined without a request.';
comment on column analytics.items.outcome is 'accepted. declined. pending: the activity is not answered yet. not_known: the activity was accepted or shared, and the service never showed a decision about this. unanswered: the activity ended without an answer, or it was left out where other items were accepted. share: given in a share, which nobody asks for or accepts.';
comment on column analytics.items.answered_by is 'Who accepted or declined it: us or them. Null: nobody.';
comment on column analytics.items.item_position is 'Position of the item in its requirement, from 0: of the requested one, else of the accepted, else of the declined.';
comment on column analytics.items.accepted_item is 'Position of the item in that accepted requirement, from 0. Null: not accepted.';
comment on column analytics.items.not_shown_since is 'When the service was first found to show a decision no longer, which still counts. Null: all is shown.';
comment on column analytics.items.is_in_acceptance_rate is 'True when acceptance rates count it: asked and decided, in an activity of which no requirement and no item is not_known.';
comment on column analytics.items.is_latest is 'True when the same counterpart did not share the same thing again later. A later share ends no earlier one. Null: not accepted.';
