-- refreshed by: month
-- At which hours of the week activities are created and answered, by the clock of the configured zone.
create table analytics.hours_of_week (
    month date,
    type text,
    type_label text,
    in_out_bound text,
    weekday integer,
    hour integer,
    created bigint,
    answered bigint,
    constraint hours_of_week_key unique nulls not distinct (month, type, in_out_bound, weekday, hour)
);

create function sync.fresh_hours_of_week(days date[]) returns setof analytics.hours_of_week
language sql
stable
as $$
    with zone as (
        select
            coalesce(
                (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
            ) as name
    )

    select
        date_trunc('month', ledger.day)::date,
        activity.type,
        max(type.label),
        activity.in_out_bound,
        extract(isodow from moment.at at time zone zone.name)::integer as weekday,
        extract(hour from moment.at at time zone zone.name)::integer as hour,
        count(*) filter (where moment.is_creation),
        count(*) filter (where not moment.is_creation)
    from warehouse.activities as activity
    cross join zone
    cross join lateral (
        values (true, activity.created_at), (false, activity.attended_at)
    ) as moment (is_creation, at)
    left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = activity.type
    where moment.at is not null
        and (
            days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        )
    group by 1, 2, 4, 5, 6
$$;
comment on function sync.fresh_hours_of_week is
    'Rows of analytics.hours_of_week for the months of these days, counted now. Give all days of a month. Null: all months.';

comment on table analytics.hours_of_week is
    'Per month of creation, type and direction: at which weekday and hour, in the configured time zone, activities were created and answered. Filter by month.';
comment on column analytics.hours_of_week.month is 'First day of the month of creation, in the configured time zone.';
comment on column analytics.hours_of_week.type is 'Code of the activity type.';
comment on column analytics.hours_of_week.type_label is 'Label of the type.';
comment on column analytics.hours_of_week.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.hours_of_week.weekday is '1: Monday, to 7: Sunday.';
comment on column analytics.hours_of_week.hour is 'Hour of the day, 0 to 23.';
comment on column analytics.hours_of_week.created is 'Number of activities created then.';
comment on column analytics.hours_of_week.answered is 'Number of activities of the same month answered then.';
