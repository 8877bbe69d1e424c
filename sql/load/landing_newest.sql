-- The newest version of some activities' details and list rows, and whether something may have been
-- erased from it.
select
    'details' as source,
    newest.activity_id::text, newest.first_seen_at, newest.last_seen_at, newest.digest, newest.body,
    erased.something
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select stored.*
    from landing.activity_details as stored
    where stored.activity_id = asked.id
    order by stored.first_seen_at desc
    limit 1
) as newest
cross join lateral (
    select
        exists (select from sync.erasures as log where log.activity_id = asked.id)
        or exists (
            select from sync.erased_entities as entity
            where position(entity.entity_id::text::bytea in newest.body) > 0
        ) as something
) as erased
union all
select
    'list',
    newest.activity_id::text, newest.first_seen_at, newest.first_seen_at, newest.digest, newest.body,
    erased.something
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select stored.*
    from landing.activity_list_rows as stored
    where stored.activity_id = asked.id
    order by stored.first_seen_at desc
    limit 1
) as newest
cross join lateral (
    select
        exists (select from sync.erasures as log where log.activity_id = asked.id)
        or exists (
            select from sync.erased_entities as entity
            where position(entity.entity_id::text::bytea in newest.body) > 0
        ) as something
) as erased
