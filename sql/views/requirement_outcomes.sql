-- refreshed by: day
-- Requested requirements and their answers. Counted over all requirements, so it is stored.
-- A requirement can be accepted and declined at once: some of its items are shared, the others not.
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
    acceptance_rate numeric
);

create function sync.fresh_requirement_outcomes(days date[])
returns setof analytics.requirement_outcomes
language sql
stable
as $$
    with answers as (
        select
            requirement.activity_id,
            requirement.code,
            ledger.day,
            activity.status,
            bool_or(requirement.disposition = 'requested') as asked,
            bool_or(requirement.disposition = 'accepted') as accepted,
            bool_or(requirement.disposition = 'declined') as declined
        from warehouse.requirements as requirement
        inner join warehouse.activities as activity on activity.id = requirement.activity_id
        left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
        where days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        group by requirement.activity_id, requirement.code, ledger.day, activity.status
    ),

    counted as (
        select
            answers.day,
            answers.code,
            count(*) filter (where answers.asked) as asked,
            count(*) filter (
                where answers.asked and answers.accepted and not answers.declined
            ) as accepted,
            count(*) filter (
                where answers.asked and answers.accepted and answers.declined
            ) as partly_accepted,
            count(*) filter (
                where answers.asked and answers.declined and not answers.accepted
            ) as declined,
            count(*) filter (
                where answers.asked
                    and not answers.accepted
                    and not answers.declined
                    and status.final is not true
            ) as pending,
            count(*) filter (
                where answers.asked
                    and not answers.accepted
                    and not answers.declined
                    and status.final
            ) as unanswered,
            count(*) filter (where not answers.asked) as unasked
        from answers
        left join analytics.codes as status
            on status.kind = 'status' and status.code = answers.status
        group by answers.day, answers.code
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

create unique index requirement_outcomes_key
on analytics.requirement_outcomes (day, code) nulls not distinct;
create index requirement_outcomes_code on analytics.requirement_outcomes (code, day);

comment on table analytics.requirement_outcomes is
    'Per day of creation and requirement code: how many activities requested it, and how it was answered. asked = accepted + partly_accepted + declined + pending + unanswered.';
comment on column analytics.requirement_outcomes.day is 'Day of the activities'' creation in the configured time zone.';
comment on column analytics.requirement_outcomes.code is 'Requirement code, for example RQ_001.';
comment on column analytics.requirement_outcomes.code_label is 'Label of the requirement. Null: the code has no label.';
comment on column analytics.requirement_outcomes.asked is 'Number of activities that request it.';
comment on column analytics.requirement_outcomes.accepted is 'Of these, accepted with all items.';
comment on column analytics.requirement_outcomes.partly_accepted is 'Of these, accepted with some items and declined with others.';
comment on column analytics.requirement_outcomes.declined is 'Of these, declined with all items.';
comment on column analytics.requirement_outcomes.pending is 'Of these, without an answer so far.';
comment on column analytics.requirement_outcomes.unanswered is 'Of these, without an answer in an activity that has ended.';
comment on column analytics.requirement_outcomes.unasked is 'Number of activities that have an answer for it without a request.';
comment on column analytics.requirement_outcomes.acceptance_rate is '(accepted + partly_accepted) / (accepted + partly_accepted + declined), 0 to 1. Null: none answered.';
