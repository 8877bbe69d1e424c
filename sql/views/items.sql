-- depends: activities, requirements
-- stored by: activity_id, requirement_number, item_number
-- The fact of items: one row per activity, requirement and item (`sync.answers` in requirements.sql).
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
    item_position integer,
    accepted_position integer,
    accepted_item integer,
    constraint items_key primary key (activity_id, requirement_number, item_number)
);

create function sync.fresh_items(ids uuid[]) returns setof analytics.items
language sql
stable
as $$
    select
        answer.activity_id,
        answer.requirement_number,
        answer.item_number,
        answer.requirement_code,
        requirement.label,
        answer.item_code,
        item.label,
        answer.type,
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
        answer.item_position,
        answer.accepted_position,
        answer.accepted_item
    from (select * from sync.answers(ids) where is_item offset 0) as answer
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as requirement
        on requirement.kind = 'requirement' and requirement.code = answer.requirement_code
    left join analytics.codes as item on item.kind = 'item' and item.code = answer.item_code
    cross join lateral (
        select coalesce(
            answer.outcome,
            case when activity.outcome in ('pending', 'declined') then activity.outcome else 'unanswered' end
        ) as outcome
    ) as decided
$$;

create index items_created_day on analytics.items (created_day);
create index items_counterpart on analytics.items (entity_id);
-- Finds whether the same counterpart shared the same thing again (analytics.consents).
create index items_shared
on analytics.items (entity_id, requirement_code, item_code, readable_from, activity_id, direction)
where readable_from is not null;
create index items_code on analytics.items (item_code, created_day);
create index items_readable on analytics.items (readable_until);

comment on table analytics.items is
    'One row per activity, requirement and item: what was asked, how it was answered, until when it can be read. Fact: an item belongs to its requirement by activity_id and requirement_number.';
comment on column analytics.items.item_number is 'Number of the item in its requirement, from 0.';
comment on column analytics.items.item_code is 'Item code, for example PIF_002. Null: an item without a code.';
comment on column analytics.items.item_label is 'Label of the item. Null: the code has no label.';
comment on column analytics.items.item_type is 'Type of what was accepted, for example RTP_002. Null: not accepted.';
comment on column analytics.items.asked is 'True when it was requested, also with its whole requirement. False: accepted or declined without a request.';
comment on column analytics.items.outcome is 'accepted. declined. pending: the activity is not answered yet. unanswered: the activity ended without an answer to it, or the service no longer says which.';
comment on column analytics.items.answered_by is 'Who accepted or declined it: us or them. Null: not answered, or shared without being asked.';
comment on column analytics.items.item_position is 'Position of the item in its requirement, from 0: of the requested one, else of the accepted, else of the declined.';
comment on column analytics.items.accepted_item is 'Position of the item in that accepted requirement, from 0. Null: not accepted.';
