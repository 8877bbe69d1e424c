-- depends: requirement_answers
-- refreshed by: day
-- Answers by requirement, item, type and direction. Counted over all requirements, so it is stored.
create table analytics.item_outcomes (
    day date,
    type text,
    type_label text,
    in_out_bound text,
    direction text,
    code text,
    code_label text,
    is_item boolean,
    item_code text,
    item_label text,
    asked bigint,
    given bigint,
    partly bigint,
    declined bigint,
    pending bigint,
    unanswered bigint,
    unasked bigint,
    given_rate numeric,
    constraint item_outcomes_key unique nulls not distinct (day, type, in_out_bound, code, is_item, item_code)
);

create function sync.fresh_item_outcomes(days date[]) returns setof analytics.item_outcomes
language sql
stable
as $$
    with answer as (
        -- All at once, the tables are read from end to end. For some days, each activity is looked up.
        (
            select answers.*
            from analytics.requirement_answers as answers
            where days is null
            offset 0
        )
        union all
        select found.*
        from sync.activity_ledger as ledger
        cross join lateral (
            select *
            from analytics.requirement_answers as each
            where each.activity_id = ledger.activity_id
            offset 0
        ) as found
        where ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        union all
        select found.*
        from warehouse.activities as activity
        cross join lateral (
            select *
            from analytics.requirement_answers as each
            where each.activity_id = activity.id
            offset 0
        ) as found
        where array_position(days, null) is not null
            and not exists (
                select from sync.activity_ledger as ledger where ledger.activity_id = activity.id
            )
    ),

    counted as (
        select
            day,
            activity_type,
            in_out_bound,
            direction,
            code,
            is_item,
            item_code,
            count(*) filter (where asked) as asked,
            count(*) filter (where asked and decision = 'given') as given,
            count(*) filter (where asked and decision = 'partly') as partly,
            count(*) filter (where asked and decision = 'declined') as declined,
            count(*) filter (where asked and decision = 'pending') as pending,
            count(*) filter (where asked and decision = 'unanswered') as unanswered,
            count(*) filter (where not asked) as unasked
        from answer
        group by day, activity_type, in_out_bound, direction, code, is_item, item_code
    )

    select
        counted.day,
        counted.activity_type,
        type.label,
        counted.in_out_bound,
        counted.direction,
        counted.code,
        requirement.label,
        counted.is_item,
        counted.item_code,
        item.label,
        counted.asked,
        counted.given,
        counted.partly,
        counted.declined,
        counted.pending,
        counted.unanswered,
        counted.unasked,
        round(
            (counted.given + counted.partly)::numeric
            / nullif(counted.given + counted.partly + counted.declined, 0), 4
        )
    from counted
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = counted.activity_type
    left join analytics.codes as requirement
        on requirement.kind = 'requirement' and requirement.code = counted.code
    left join analytics.codes as item on item.kind = 'item' and item.code = counted.item_code
$$;
comment on function sync.fresh_item_outcomes is
    'Rows of analytics.item_outcomes for these days, counted now. Null: for all days.';

create index item_outcomes_code on analytics.item_outcomes (code, day);

comment on table analytics.item_outcomes is
    'Per day of creation, type, direction, requirement and item: how often it was requested, and how it was answered. asked = given + partly + declined + pending + unanswered. Filter by day or code; a week or month of days is a cohort.';
comment on column analytics.item_outcomes.day is 'Day of the activities'' creation in the configured time zone.';
comment on column analytics.item_outcomes.type is 'Code of the activity type.';
comment on column analytics.item_outcomes.type_label is 'Label of the type.';
comment on column analytics.item_outcomes.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.item_outcomes.direction is 'Who gives: to us, from us, both ways. Null: not known.';
comment on column analytics.item_outcomes.code is 'Requirement code, for example RQ_004.';
comment on column analytics.item_outcomes.code_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.item_outcomes.is_item is 'False: the row counts the requirement itself. True: an item of it. Never add up both.';
comment on column analytics.item_outcomes.item_code is 'Item code, for example PIF_002. Null: the requirement itself, or items without a code.';
comment on column analytics.item_outcomes.item_label is 'Label of the item. Null: none.';
comment on column analytics.item_outcomes.asked is 'How often it was requested. An item also when its requirement was requested without naming items, and it was answered.';
comment on column analytics.item_outcomes.given is 'Of these, given; a requirement with all items that were asked.';
comment on column analytics.item_outcomes.partly is 'Of these, requirements given without some of the items that were asked.';
comment on column analytics.item_outcomes.declined is 'Of these, declined.';
comment on column analytics.item_outcomes.pending is 'Of these, in activities that are not answered yet, and still offered.';
comment on column analytics.item_outcomes.unanswered is 'Of these, without an answer that the service tells, in activities that are no longer pending.';
comment on column analytics.item_outcomes.unasked is 'How often it was given or declined without a request.';
comment on column analytics.item_outcomes.given_rate is '(given + partly) / (given + partly + declined), 0 to 1. Null: none answered.';
