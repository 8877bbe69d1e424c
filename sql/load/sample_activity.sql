-- Of the newest listed activities that are some days old, one whose days differ between the zones.
select recent.id::text, recent.created_at
from (
    select activity.id, activity.created_at
    from warehouse.activities as activity
    inner join sync.activity_ledger as ledger on ledger.activity_id = activity.id
    where activity.gone_at is null
        and ledger.unlisted_at is null
        and ledger.listed_at is not null
        and activity.created_at < now() - interval '3 days'
    order by activity.created_at desc
    limit 1000
) as recent
order by
    (recent.created_at at time zone 'UTC')::date
    <> (recent.created_at at time zone %(zone)s)::date desc,
    recent.created_at desc
limit 1
