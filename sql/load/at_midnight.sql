-- For each zone in which the service may cut days, two of the newest listed activities that are some days
-- old: the soonest after a midnight of the zone, and the last before one. Activities from a time when our
-- zone has the time of UTC can't tell the two apart.
with recent as (
    select activity.id::text as id, activity.created_at
    from warehouse.activities as activity
    inner join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    where activity.gone_at is null
        and ledger.unlisted_at is null
        and ledger.listed_at is not null
        and activity.created_at < now() - interval '3 days'
    order by activity.created_at desc
    limit 4000
),

zones (word, name) as (values ('caller', %(zone)s), ('UTC', 'UTC')),

placed as (
    select
        zones.word,
        recent.id,
        day.begins::date as day,
        recent.created_at - (day.begins at time zone zones.name) as after,
        ((day.begins + interval '1 day') at time zone zones.name) - recent.created_at as before
    from recent
    cross join zones
    cross join lateral (
        select date_trunc('day', recent.created_at at time zone zones.name) as begins
    ) as day
    where zones.name = 'UTC'
        or (recent.created_at at time zone zones.name) <> (recent.created_at at time zone 'UTC')
),

begun as (
    select distinct on (word) *
    from placed
    -- Midnight itself belongs to the day before, too, if `to` stops there.
    where after > interval '0'
    order by word, after, id
),

ended as (
    select distinct on (word) *
    from placed
    order by word, before, id
)

select
    begun.word as zone,
    begun.id as after,
    begun.day as day_begun,
    ended.id as before,
    ended.day as day_ended,
    greatest(begun.after, ended.before) < interval '30 minutes' as near
from begun
inner join ended on ended.word = begun.word
order by begun.word = 'caller' desc
