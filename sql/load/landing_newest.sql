-- The newest version of some activities' details and list rows, and when the first one came.
select
    'details' as source,
    (
        select min(earlier.first_seen_at)
        from landing.activity_details as earlier
        where earlier.activity_id = asked.id
    ) as earliest,
    newest.activity_id::text, newest.first_seen_at, newest.last_seen_at, newest.digest, newest.body
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select stored.*
    from landing.activity_details as stored
    where stored.activity_id = asked.id
    order by stored.first_seen_at desc
    limit 1
) as newest
union all
select
    'list',
    (
        select min(earlier.first_seen_at)
        from landing.activity_list_rows as earlier
        where earlier.activity_id = asked.id
    ),
    newest.activity_id::text, newest.first_seen_at, newest.first_seen_at, newest.digest, newest.body
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select stored.*
    from landing.activity_list_rows as stored
    where stored.activity_id = asked.id
    order by stored.first_seen_at desc
    limit 1
) as newest
