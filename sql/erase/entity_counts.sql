-- What is stored of one counterpart. Responses are searched by content: an older version may name it
-- even if the activity's newest one does not.
with theirs as (
    select id
    from warehouse.activities
    where entity_id = %(entity)s::uuid
)

select
    (
        select count(*)
        from warehouse.entities
        where id = %(entity)s::uuid and num_nonnulls({profile}) > 0
    ) + (
        select count(*)
        from warehouse.entity_social_media
        where entity_id = %(entity)s::uuid
    ) as profile,
    (select count(*) from theirs) as activities,
    (
        select count(*)
        from theirs
        inner join warehouse.requirements as requirement on requirement.activity_id = theirs.id
        where requirement.value is not null
    ) + (
        select count(*)
        from theirs
        inner join warehouse.accepted_items as item on item.activity_id = theirs.id
        where item.value is not null
    ) as "values",
    (
        select count(*)
        from landing.activity_details
        where position(%(small)s::bytea in body) > 0 or position(%(capitals)s::bytea in body) > 0
    ) + (
        select count(*)
        from landing.activity_list_rows
        where position(%(small)s::bytea in body) > 0 or position(%(capitals)s::bytea in body) > 0
    ) as responses,
    (
        select count(*)
        from sync.quarantine
        where position(%(small)s::bytea in payload) > 0
            or position(%(capitals)s::bytea in payload) > 0
    ) as payloads
