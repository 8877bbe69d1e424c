-- Single activities of older days whose details are due, for one of these reasons: their deadline has
-- passed; they are not final and were checked too long ago; they were checked while the service's clock
-- was ahead; their day is fetched one by one; they are in quarantine. Whatever the reason, those in
-- quarantine wait until their next attempt has come.
with held as materialized (
    select
        subject,
        -- No pause is longer than a week: a later time comes from a wrong clock.
        bool_or(next_attempt_at between now() and now() + interval '7 days') as waits
    from sync.quarantine
    where resolved_at is null and source = 'details'
    group by subject
),

due as (
    select ledger.activity_id
    from sync.activity_ledger as ledger
    where ledger.deadline_at <= %(now)s
        and ledger.gone_at is null
    union
    select ledger.activity_id
    from sync.activity_ledger as ledger
    where not ledger.final
        and ledger.gone_at is null
        and ledger.day < %(before)s
        and (
            ledger.service_time is null
            or ledger.service_time <= %(stale_before)s
            or (ledger.day = any(%(days)s::date[]) and ledger.unlisted_at is null)
        )
    union
    select ledger.activity_id
    from sync.activity_ledger as ledger
    where ledger.service_time > %(now)s + interval '2 hours'
        and ledger.gone_at is null
        and ledger.withheld_at is null
    union
    select ledger.activity_id
    from held
    inner join sync.activity_ledger as ledger
        -- With the cast on this side, the few entries look up the ledger by its key.
        on ledger.activity_id = case
            when held.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                then held.subject::uuid
        end
)

select
    ledger.activity_id::text, ledger.day, ledger.unlisted_at is not null as unlisted,
    activity.status, activity.in_out_bound, activity.entity_id::text, activity.created_at
from due
inner join sync.activity_ledger as ledger using (activity_id)
-- Outer: its row may have been removed by hand.
left join warehouse.activities as activity on activity.id = ledger.activity_id
where ledger.day < %(before)s
    and not exists (
        select from held where held.subject = ledger.activity_id::text and held.waits
    )
order by 2, 1
