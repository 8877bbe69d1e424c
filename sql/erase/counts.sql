-- What activities that are due hold: what would be erased, and the responses and payloads to read.
with due as (
    select distinct found.id::uuid as id
    from ({due}) as found (id, reason)
)

select 'activities' as what, count(*) as number
from due
union all
select 'shared values', count(*)
from (
    select
    from due
    inner join warehouse.requirements as requirement on requirement.activity_id = due.id
    where requirement.value is not null
    union all
    select
    from due
    inner join warehouse.accepted_items as item on item.activity_id = due.id
    where item.value is not null
) as held
union all
select 'responses in landing to read', count(*)
from due
inner join landing.activity_details as details on details.activity_id = due.id
union all
select 'payloads in quarantine to read', count(*)
from due
inner join sync.quarantine as entry on entry.activity_id = due.id::text
where entry.payload is not null
union all
select 'messages, which go too', count(*)
from (
    select
    from due
    inner join warehouse.activities as activity on activity.id = due.id
    where num_nonnulls(activity.description, activity.notification_message) > 0
    union all
    select
    from due
    inner join warehouse.timeline_events as event on event.activity_id = due.id
    where event.message is not null
) as told
where %(months)s::integer is not null
