-- depends: activities
-- stored by: activity_id, requirement_number
-- latest by: requirement_code
-- The fact of requirements: one row per activity and requirement. The three arrays of the details are
-- matched by code; where an array has a code twice, the first belongs to the first. Decisions that are no longer
-- shown count as if they were (warehouse.kept_decisions).
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
    accepted_position integer,
    declined_position integer,
    is_latest boolean,
    occurrence integer,
    not_shown_since timestamptz,
    is_in_acceptance_rate boolean,
    constraint requirements_key primary key (activity_id, requirement_number)
);

create function sync.fresh_requirements(ids uuid[]) returns setof analytics.requirements
language sql
stable
as $$
    with numbered as (
        select
            activity_id, code, disposition, position, type, category, value is not null as has_value,
            row_number() over (partition by activity_id, disposition, code order by position) - 1 as occurrence,
            disposition = 'requested' as asked, disposition as decision, null::timestamptz as shown_until
        from warehouse.requirements
        where ids is null or activity_id = any(ids)
        union all
        select
            activity_id, requirement_code, 'kept', null, type, category, false, requirement_occurrence, asked,
            decision, shown_until
        from warehouse.kept_decisions
        where item_occurrence is null and (ids is null or activity_id = any(ids))
    ),

    matched as (
        select
            activity_id,
            code,
            occurrence,
            max(position) filter (where disposition = 'requested') as requested_position,
            max(position) filter (where disposition = 'accepted') as accepted_position,
            max(position) filter (where disposition = 'declined') as declined_position,
            bool_or(decision = 'accepted') as accepted,
            bool_or(decision = 'declined') as declined,
            bool_or(asked) as asked,
            max(shown_until) as not_shown_since,
            max(type) as type,
            max(category) as category,
            bool_or(has_value) as has_value
        from numbered
        group by activity_id, code, occurrence
    ),

    answers as (
        select
            matched.*,
            row_number() over (
                partition by activity_id
                order by requested_position, accepted_position, declined_position, code, occurrence
            ) - 1 as requirement_number,
            case
                when not accepted then case when declined then 'declined' end
                when declined then 'partly'
                -- An item that was asked, and not accepted.
                when exists (
                    select item.code
                    from warehouse.requirement_items as item
                    where item.activity_id = matched.activity_id
                        and item.disposition = 'requested'
                        and item.requirement_position = matched.requested_position
                    except all
                    (
                        select item.code
                        from warehouse.accepted_items as item
                        where item.activity_id = matched.activity_id
                            and item.requirement_position = matched.accepted_position
                        union all
                        select kept.item_code
                        from warehouse.kept_decisions as kept
                        where kept.activity_id = matched.activity_id
                            and kept.requirement_code is not distinct from matched.code
                            and kept.requirement_occurrence = matched.occurrence
                            and kept.item_occurrence is not null
                            and kept.decision = 'accepted'
                    )
                ) then 'partly'
                else 'accepted'
            end as outcome
        from matched
    )

    select
        answer.activity_id,
        answer.requirement_number::integer,
        answer.code,
        label.label,
        answer.type,
        answer.category,
        activity.entity_id,
        activity.activity_type,
        activity.in_out_bound,
        activity.direction,
        activity.created_day,
        activity.created_month,
        -- What a share lists as requested was not asked: it is what is given.
        decided.asked,
        answer.accepted,
        decided.outcome,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_by end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_at end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_day end,
        case when answer.accepted then activity.shared_from end,
        case when answer.accepted then activity.sharing_ends_at end,
        case when answer.accepted then activity.sharing_ended_by end,
        answer.has_value,
        case
            when answer.requested_position is not null then 'requested'
            when answer.accepted_position is not null then 'accepted'
            when answer.declined_position is not null then 'declined'
            else 'kept'
        end,
        coalesce(
            answer.requested_position, answer.accepted_position, answer.declined_position, answer.requirement_number
        )::integer,
        answer.accepted_position,
        answer.declined_position,
        case
            when not answer.accepted then null
            -- What has no counterpart or no code is the same as nothing.
            when num_nulls(activity.entity_id, answer.code) > 0 then true
            -- It depends on other activities: the stored mark stays until sql/refresh/latest.sql sets it.
            when ids is not null then coalesce(stored.is_latest, true)
            else rank() over (
                partition by answer.accepted, activity.entity_id, activity.direction, answer.code
                order by activity.shared_from desc, answer.activity_id desc
            ) = 1
        end,
        answer.occurrence::integer,
        answer.not_shown_since,
        decided.asked
        and decided.outcome in ('accepted', 'partly', 'declined')
        and not bool_or(decided.outcome = 'not_known') over (partition by answer.activity_id)
    from answers as answer
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as label on label.kind = 'requirement' and label.code = answer.code
    left join analytics.requirements as stored
        on stored.activity_id = answer.activity_id and stored.requirement_number = answer.requirement_number
    cross join lateral (
        select
            answer.asked and activity.outcome is distinct from 'share' as asked,
            case
                when answer.accepted and activity.outcome = 'share' then 'share'
                when answer.outcome is not null then answer.outcome
                when activity.outcome in ('pending', 'declined') then activity.outcome
                when activity.outcome in ('accepted', 'share') then 'not_known'
                else 'unanswered'
            end as outcome
    ) as decided
$$;

create index requirements_created_day on analytics.requirements (created_day);
create index requirements_counterpart on analytics.requirements (entity_id);
create index requirements_readable on analytics.requirements (readable_until) where readable_until is not null;

comment on table analytics.requirements is
    'One row per activity and requirement: what was asked, how it was answered, until when it can be read. Fact: its items are in analytics.items.';
comment on column analytics.requirements.requirement_number is 'Number of the requirement in the activity, from 0: the requested ones first, then what was only accepted, then what was only declined.';
comment on column analytics.requirements.requirement_code is 'Requirement code, for example RQ_004.';
comment on column analytics.requirements.requirement_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.requirements.requirement_type is 'Type of what was accepted, for example RTP_002. Null: not accepted.';
comment on column analytics.requirements.category is 'Category of the requirement that was accepted.';
comment on column analytics.requirements.is_asked is 'True when it was requested. False: given in a share, or accepted or declined without a request.';
comment on column analytics.requirements.is_accepted is 'True when it was accepted, in whole or in part, or given in a share. False also while nothing is decided: a rate counts is_in_acceptance_rate.';
comment on column analytics.requirements.outcome is 'accepted: with all items that were asked. partly: not all of them. declined. pending: the activity is not answered yet. not_known: the activity was accepted or shared, and the service never showed a decision about this. unanswered: the activity ended without an answer. share: given in a share, which nobody asks for or accepts.';
comment on column analytics.requirements.answered_by is 'Who accepted or declined it: us or them. Null: nobody.';
comment on column analytics.requirements.readable_from is 'Since when it can be read. Null: not accepted.';
comment on column analytics.requirements.readable_until is 'Until when it can be read; it can be read now if this is after now() and ended_by is null. The year 9999: no end is known. Null: not accepted.';
comment on column analytics.requirements.ended_by is 'What had ended the reading first at freshness.refreshed_at: expired (the period), ended (another status before that), gone, unregistered or erased. Null: nothing yet, or not accepted.';
comment on column analytics.requirements.has_value is 'True when a value is stored, readable or not.';
comment on column analytics.requirements.listed_in is 'Array that requirement_position counts in: requested; where nobody asked, accepted or declined. kept: no array shows it any longer, and requirement_number counts.';
comment on column analytics.requirements.requirement_position is 'Position of the requirement in that array, from 0.';
comment on column analytics.requirements.accepted_position is 'Position of the requirement in accepted_requirements, from 0. Null: not accepted.';
comment on column analytics.requirements.declined_position is 'Position of the requirement in declined_requirements, from 0. Null: not declined.';
comment on column analytics.requirements.occurrence is 'Which requirement of its code it is in the activity, from 0.';
comment on column analytics.requirements.not_shown_since is 'When the service was first found to show a decision no longer, which still counts. Null: all is shown.';
comment on column analytics.requirements.is_in_acceptance_rate is 'True when acceptance rates count it: asked and decided, in an activity of which no requirement is not_known.';
comment on column analytics.requirements.is_latest is 'True when the same counterpart did not share the same thing again later. A later share ends no earlier one. Null: not accepted.';
