-- What `pipeline erase --expired` would read: activities that are due, their values, their responses
-- and their payloads.
with due as (
    select id
    from warehouse.activities
    where expires_at <= %(now)s and values_erased_at is null and expires_at is not null
    union
    select id
    from warehouse.activities
    where status = 'EXPIRED' and values_erased_at is null
    union
    select activity.id
    from warehouse.entities as entity
    inner join warehouse.activities as activity on activity.entity_id = entity.id
    where entity.unregistered and activity.values_erased_at is null
)

select
    (select count(*) from due) as activities,
    (
        select count(*)
        from due
        inner join warehouse.requirements as requirement on requirement.activity_id = due.id
        where requirement.value is not null
    ) + (
        select count(*)
        from due
        inner join warehouse.accepted_items as item on item.activity_id = due.id
        where item.value is not null
    ) as "values",
    (
        select count(*)
        from due
        inner join landing.activity_details as details on details.activity_id = due.id
    ) as responses,
    (
        select count(*)
        from due
        inner join sync.quarantine as entry on entry.activity_id = due.id::text
        where entry.payload is not null
    ) as payloads
