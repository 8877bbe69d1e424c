-- refreshed by: month
-- How many activities were answered within how many hours: service levels for any number of hours.
create table analytics.answer_times (
    month date,
    type text,
    type_label text,
    in_out_bound text,
    within_hours integer,
    answered bigint,
    constraint answer_times_key unique nulls not distinct (month, type, in_out_bound, within_hours)
);

create function sync.fresh_answer_times(days date[]) returns setof analytics.answer_times
language sql
stable
as $$
    select
        date_trunc('month', ledger.day)::date,
        activity.type,
        max(type.label),
        activity.in_out_bound,
        -- From a year on one row is enough.
        least(
            greatest(ceil(extract(epoch from activity.attended_at - activity.created_at) / 3600), 0),
            8760
        )::integer as within_hours,
        count(*)
    from warehouse.activities as activity
    left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = activity.type
    where activity.attended_at is not null
        and activity.created_at is not null
        and (
            days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        )
    group by 1, 2, 4, 5
$$;
comment on function sync.fresh_answer_times is
    'Rows of analytics.answer_times for the months of these days, counted now. Give all days of a month. Null: all months.';

comment on table analytics.answer_times is
    'Per month of creation, type and direction: after how many hours activities were answered. Answered within N hours: sum(answered) where within_hours <= N. Filter by month.';
comment on column analytics.answer_times.month is 'First day of the month of creation, in the configured time zone.';
comment on column analytics.answer_times.type is 'Code of the activity type.';
comment on column analytics.answer_times.type_label is 'Label of the type.';
comment on column analytics.answer_times.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.answer_times.within_hours is 'Hours from creation to the answer, rounded up; 8760 also for all longer ones, 0 where the answer is stamped before the creation or at it.';
comment on column analytics.answer_times.answered is 'Number of activities answered in that hour.';
