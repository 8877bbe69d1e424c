-- depends: activity_stages
-- refreshed by: day
-- How the activities of each day ended. Counted over all activities, so it is stored. `expired` goes by the
-- clock: each refresh counts the days again whose sharing periods ended since the last one
-- (sql/refresh/take.sql).
create table analytics.activity_funnel (
    day date,
    type text,
    type_label text,
    in_out_bound text,
    created bigint,
    pending bigint,
    accepted bigint,
    declined bigint,
    canceled bigint,
    other bigint,
    completed bigint,
    expired bigint,
    gone bigint,
    answer_rate numeric,
    acceptance_rate numeric,
    completion_rate numeric,
    constraint activity_funnel_key unique nulls not distinct (day, type, in_out_bound)
);

create function sync.fresh_activity_funnel(days date[]) returns setof analytics.activity_funnel
language sql
stable
as $$
    with counted as (
        select
            day,
            type,
            in_out_bound,
            count(*) as created,
            count(*) filter (where stage = 'pending') as pending,
            count(*) filter (where stage = 'accepted') as accepted,
            count(*) filter (where stage = 'declined') as declined,
            count(*) filter (where stage = 'canceled') as canceled,
            count(*) filter (where stage is null) as other,
            count(*) filter (
                where stage = 'accepted' and (status = 'COMPLETED' or completed_at is not null)
            ) as completed,
            count(*) filter (where stage = 'accepted' and sharing_over) as expired,
            count(*) filter (where gone_at is not null) as gone
        from (
            select *
            from analytics.activity_stages
            where days is null
                or day = any(days)
                or (day is null and array_position(days, null) is not null)
            -- Each stage is computed once, not in every count.
            offset 0
        ) as activity
        group by day, type, in_out_bound
    )

    select
        counted.day,
        counted.type,
        type.label,
        counted.in_out_bound,
        counted.created,
        counted.pending,
        counted.accepted,
        counted.declined,
        counted.canceled,
        counted.other,
        counted.completed,
        counted.expired,
        counted.gone,
        round(
            (counted.accepted + counted.declined)::numeric
            / nullif(counted.accepted + counted.declined + counted.canceled, 0), 4
        ),
        round(
            counted.accepted::numeric / nullif(counted.accepted + counted.declined, 0), 4
        ),
        round(counted.completed::numeric / nullif(counted.accepted, 0), 4)
    from counted
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = counted.type
$$;
comment on function sync.fresh_activity_funnel is
    'Rows of analytics.activity_funnel for these days, counted now. Null: for all days.';

comment on table analytics.activity_funnel is
    'Per day of creation, type and direction: how many activities were created, and how they ended. created = pending + accepted + declined + canceled + other.';
comment on column analytics.activity_funnel.day is 'Day of creation in the configured time zone.';
comment on column analytics.activity_funnel.type is 'Code of the activity type.';
comment on column analytics.activity_funnel.type_label is 'Label of the type.';
comment on column analytics.activity_funnel.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.activity_funnel.created is 'Number of activities created.';
comment on column analytics.activity_funnel.pending is 'Of these, not answered yet, and still offered.';
comment on column analytics.activity_funnel.accepted is 'Of these, accepted in whole or in part, also when completed, expired or canceled since.';
comment on column analytics.activity_funnel.declined is 'Of these, declined, also when canceled since.';
comment on column analytics.activity_funnel.canceled is 'Of these, never answered.';
comment on column analytics.activity_funnel.other is 'Of these, in a status without a label, or gone before we saw an answer.';
comment on column analytics.activity_funnel.completed is 'Of the accepted, completed, also when expired since.';
comment on column analytics.activity_funnel.expired is 'Of the accepted, those whose sharing period was over at freshness.refreshed_at: expires_at had passed, or the status had ended it.';
comment on column analytics.activity_funnel.gone is 'Of the created, those that the service no longer offers.';
comment on column analytics.activity_funnel.answer_rate is '(accepted + declined) / (accepted + declined + canceled), 0 to 1. Null: none of them.';
comment on column analytics.activity_funnel.acceptance_rate is 'accepted / (accepted + declined), 0 to 1. Null: none answered.';
comment on column analytics.activity_funnel.completion_rate is 'completed / accepted, 0 to 1. Null: none accepted.';
