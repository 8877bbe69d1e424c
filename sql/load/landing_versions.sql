-- Every version of some activities' responses, oldest first. The last time that details were received
-- unchanged was an observation of the counterpart, too. A list row that was one is landed again.
select activity_id::text, first_seen_at, last_seen_at, digest, body
from landing.activity_details
where activity_id = any(%(ids)s::uuid[])
union all
select activity_id::text, first_seen_at, first_seen_at as last_seen_at, digest, body
from landing.activity_list_rows
where activity_id = any(%(ids)s::uuid[])
order by 3
