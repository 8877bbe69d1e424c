-- The newest details of some activities, and the newest row of the list that landed before these last came.
select asked.id::text, listed.body, details.body
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select body, last_seen_at
    from landing.activity_details
    where activity_id = asked.id
    order by first_seen_at desc
    limit 1
) as details
cross join lateral (
    select body
    from landing.activity_list_rows
    where activity_id = asked.id and first_seen_at <= details.last_seen_at
    order by first_seen_at desc
    limit 1
) as listed
