-- Every version of some activities' responses, oldest first. The last time that details were received
-- unchanged was an observation of the counterpart, too. A list row that was one is landed again. Activities
-- that lost all that is personal tell nothing of their counterparts any more.
with kept as (
    select asked.id
    from unnest(%(ids)s::uuid[]) as asked (id)
    where not exists (
        select from sync.erasures as log where log.activity_id = asked.id and log.reason = 'retention'
    )
)

select activity_id::text, first_seen_at, last_seen_at, digest, body
from landing.activity_details
where activity_id in (select id from kept)
union all
select activity_id::text, first_seen_at, first_seen_at as last_seen_at, digest, body
from landing.activity_list_rows
where activity_id in (select id from kept)
order by 3
