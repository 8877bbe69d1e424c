-- depends: item_outcomes
-- refreshed by: day
-- Requested requirements and their answers, over all types and directions.
create table analytics.requirement_outcomes (
    day date,
    code text,
    code_label text,
    asked bigint,
    accepted bigint,
    partly_accepted bigint,
    declined bigint,
    pending bigint,
    unanswered bigint,
    unasked bigint,
    acceptance_rate numeric,
    constraint requirement_outcomes_key unique nulls not distinct (day, code)
);

create function sync.fresh_requirement_outcomes(days date[])
returns setof analytics.requirement_outcomes
language sql
stable
as $$
    with counted as (
        select
            day,
            code,
            sum(asked)::bigint as asked,
            sum(given)::bigint as accepted,
            sum(partly)::bigint as partly_accepted,
            sum(declined)::bigint as declined,
            sum(pending)::bigint as pending,
            sum(unanswered)::bigint as unanswered,
            sum(unasked)::bigint as unasked
        from analytics.item_outcomes
        where not is_item
            and (
                days is null
                or day = any(days)
                or (day is null and array_position(days, null) is not null)
            )
        group by day, code
    )

    select
        counted.day,
        counted.code,
        requirement.label,
        counted.asked,
        counted.accepted,
        counted.partly_accepted,
        counted.declined,
        counted.pending,
        counted.unanswered,
        counted.unasked,
        round(
            (counted.accepted + counted.partly_accepted)::numeric
            / nullif(counted.accepted + counted.partly_accepted + counted.declined, 0), 4
        )
    from counted
    left join analytics.codes as requirement
        on requirement.kind = 'requirement' and requirement.code = counted.code
$$;
comment on function sync.fresh_requirement_outcomes is
    'Rows of analytics.requirement_outcomes for these days, counted now. Null: for all days.';

create index requirement_outcomes_code on analytics.requirement_outcomes (code, day);

comment on table analytics.requirement_outcomes is
    'Per day of creation and requirement code: how often it was requested, and how it was answered. asked = accepted + partly_accepted + declined + pending + unanswered.';
comment on column analytics.requirement_outcomes.day is 'Day of the activities'' creation in the configured time zone.';
comment on column analytics.requirement_outcomes.code is 'Requirement code, for example RQ_001.';
comment on column analytics.requirement_outcomes.code_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.requirement_outcomes.asked is 'How often it was requested: once per activity, unless an activity requests it twice.';
comment on column analytics.requirement_outcomes.accepted is 'Of these, accepted with all items that were asked.';
comment on column analytics.requirement_outcomes.partly_accepted is 'Of these, accepted without some of the items that were asked.';
comment on column analytics.requirement_outcomes.declined is 'Of these, declined with all items, or with the whole activity.';
comment on column analytics.requirement_outcomes.pending is 'Of these, in activities that are not answered yet, and still offered.';
comment on column analytics.requirement_outcomes.unanswered is 'Of these, without an answer that the service tells, in activities that are no longer pending.';
comment on column analytics.requirement_outcomes.unasked is 'How often it was accepted or declined without a request.';
comment on column analytics.requirement_outcomes.acceptance_rate is '(accepted + partly_accepted) / (accepted + partly_accepted + declined), 0 to 1. Null: none answered.';
