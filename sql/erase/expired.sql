-- Activities whose values are no longer shared and not erased yet: their sharing period is over by
-- the clock or by the status, or their counterpart is unregistered.
(
    select id::text, 'expired' as reason
    from warehouse.activities
    where expires_at <= %(now)s and values_erased_at is null and expires_at is not null
    limit %(limit)s
)
union
(
    select id::text, 'expired'
    from warehouse.activities
    where status = 'EXPIRED' and values_erased_at is null
    limit %(limit)s
)
union
(
    select activity.id::text, 'unregistered'
    from warehouse.entities as entity
    inner join warehouse.activities as activity on activity.entity_id = entity.id
    where entity.unregistered and activity.values_erased_at is null
    limit %(limit)s
)
