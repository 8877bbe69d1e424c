-- The dimension of days, and the one query of coverage: whatever speaks of complete days reads it.
create view analytics.days as
with covered as (
    select * from sync.coverage
),

bounds as (
    select
        coalesce(calendar.start_date, min(covered.day)) as first_day,
        min(covered.day) as oldest_day,
        max(covered.day) as newest_day,
        calendar.today,
        calendar.start_date is not null as started
    from sync.calendar
    left join covered on true
    group by calendar.start_date, calendar.today
),

every_day as (
    select
        series.day::date as day,
        covered.listed, covered.stored, covered.quarantined, covered.gone, covered.verified_at,
        case
            when covered.day is not null then covered.incomplete
            -- When the start is known, all days until yesterday should have been asked for.
            when series.day >= bounds.first_day
                and (series.day < bounds.newest_day or bounds.started and series.day < bounds.today)
                then 'never asked for'
        end as incomplete,
        covered.day is not null and covered.incomplete is null as complete,
        series.day < bounds.today as is_over
    from bounds
    cross join lateral generate_series(
        least(bounds.first_day, bounds.oldest_day)::timestamp,
        greatest(bounds.newest_day, bounds.today)::timestamp,
        interval '1 day'
    ) as series (day)
    left join covered on covered.day = series.day::date
)

select
    day,
    date_trunc('week', day::timestamp)::date as week,
    date_trunc('month', day::timestamp)::date as month,
    extract(isodow from day)::integer as weekday,
    count(*) over week_of = 7 and bool_and(complete and is_over) over week_of as is_whole_week,
    count(*) over month_of = extract(day from date_trunc('month', day::timestamp) + interval '1 month - 1 day')
    and bool_and(complete and is_over) over month_of as is_whole_month,
    complete as is_complete,
    incomplete,
    coalesce(listed, 0) as listed_activities,
    coalesce(stored, 0) as stored_activities,
    coalesce(quarantined, 0) as quarantined_activities,
    coalesce(gone, 0) as gone_activities,
    verified_at
from every_day
window
    week_of as (partition by date_trunc('week', day::timestamp)),
    month_of as (partition by date_trunc('month', day::timestamp));

comment on view analytics.days is
    'One row per day, from the first covered one to today: its week and month, and whether the warehouse has all of it. Dimension: join it by created_day or answered_day.';
comment on column analytics.days.day is 'Day in the configured time zone.';
comment on column analytics.days.week is 'Monday of its week.';
comment on column analytics.days.month is 'First day of its month.';
comment on column analytics.days.weekday is '1 (Monday) to 7.';
comment on column analytics.days.is_whole_week is 'True when all seven days are over and complete. False: do not compare this week with others.';
comment on column analytics.days.is_whole_month is 'True when all days of the month are over and complete. False: do not compare this month with others.';
comment on column analytics.days.is_complete is 'True when the warehouse has everything that the service lists for the day, or names what is missing (quarantined_activities). Also of a day that is not over.';
comment on column analytics.days.incomplete is 'Why it is not complete. Null: it is, or it has not been asked for yet.';
comment on column analytics.days.listed_activities is 'Activities that the service lists.';
comment on column analytics.days.stored_activities is 'Of these, stored.';
comment on column analytics.days.quarantined_activities is 'Of these, in quarantine.';
comment on column analytics.days.gone_activities is 'Activities that the service no longer offers.';
comment on column analytics.days.verified_at is 'When its list was last verified. Null: never.';
