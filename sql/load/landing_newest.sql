-- The newest version of some activities' details and list rows, and whether something may have been
-- erased from it.
select
    newest.source, asked.id::text, newest.first_seen_at, newest.last_seen_at, newest.digest, newest.body,
    exists (select from sync.erasures as log where log.activity_id = asked.id)
    or exists (
        select from sync.erased_entities as entity
        where landing.mentions(newest.body, entity.entity_id)
    )
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    (
        select 'details' as source, first_seen_at, last_seen_at, digest, body
        from landing.activity_details
        where activity_id = asked.id
        order by first_seen_at desc
        limit 1
    )
    union all
    (
        select 'list', first_seen_at, first_seen_at, digest, body
        from landing.activity_list_rows
        where activity_id = asked.id
        order by first_seen_at desc
        limit 1
    )
) as newest
