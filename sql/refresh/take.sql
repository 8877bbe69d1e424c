-- Empties the queue and returns what must be computed again: a column for each key of stored views, and for
-- a view with rules of its own. Null: everything; a null day: activities without a day. More than half of all
-- days, or very many counterparts, count as everything, because reading all rows then costs no more than
-- finding them one by one.
with taken as (
    delete from sync.refresh_queue returning activity_id, entity_id, day
),

days as (
    select day
    from taken
    where day is not null
    union
    select ledger.day
    from taken
    inner join warehouse.activities as activity on activity.id = taken.activity_id
    left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    union
    -- The queue does not say that an activity had no day before: as long as there are any, count them.
    select day
    from analytics.activity_funnel
    where day is null and exists (select from taken)
),

counterparts as (
    select distinct entity_id
    from taken
    where entity_id is not null
),

expired as (
    -- Where the clock alone ended a sharing period since the last refresh.
    select distinct ledger.day
    from warehouse.activities as activity
    left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    where activity.expires_at > (select min(refreshed_at) from sync.view_versions)
        and activity.expires_at <= now()
),

judged as (
    select
        array(select day from days order by day) as days,
        exists (select from taken where num_nonnulls(activity_id, entity_id, day) = 0)
        or (select count(*) from days)
        > (select count(distinct day) from analytics.activity_funnel) / 2.0 as everything,
        -- Views up to today need new rows on a new day.
        (
            select (min(refreshed_at) at time zone zone.name)::date < (now() at time zone zone.name)::date
            from sync.view_versions
        ) as another_day
    from (
        select
            coalesce(
                (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
            ) as name
    ) as zone
)

select
    case when not everything then days end as day,
    case when not everything then days end as created_day,
    -- A row that counts a month is stale with any of its days.
    case when not everything then array(
        select whole.day::date
        from (select distinct date_trunc('month', day::timestamp) as first from days) as month
        cross join lateral generate_series(
            month.first, month.first + interval '1 month' - interval '1 day', interval '1 day'
        ) as whole (day)
        where month.first is not null
        union all
        select null
        from days
        where day is null
    ) end as month,
    case
        when not everything and (select count(*) from counterparts) <= 20000
            then array(select entity_id from counterparts)
    end as entity_id,
    case
        when not everything and cardinality(days) = 0 and another_day is not true then days
    end as whole,
    case when not everything then array(
        select day from days
        union
        select day from expired
    ) end as activity_funnel
from judged
