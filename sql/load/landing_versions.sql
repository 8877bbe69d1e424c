-- Every version of some activities' responses, for the counterparts they carry. Details received
-- again unchanged were an observation, too; a list row that was is landed again.
select activity_id::text, first_seen_at, last_seen_at, digest, body
from landing.activity_details
where activity_id = any(%(ids)s::uuid[])
union all
select activity_id::text, first_seen_at, first_seen_at, digest, body
from landing.activity_list_rows
where activity_id = any(%(ids)s::uuid[])
order by 3
