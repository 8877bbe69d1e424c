-- Activities that name a counterpart now, and those with a response that mentions it.
select id::text
from warehouse.activities
where entity_id = %(entity)s::uuid
union
select activity_id::text
from landing.activity_details
where position(%(entity)s::text::bytea in body) > 0 or position(upper(%(entity)s::text)::bytea in body) > 0
union
select activity_id::text
from landing.activity_list_rows
where position(%(entity)s::text::bytea in body) > 0 or position(upper(%(entity)s::text)::bytea in body) > 0
order by 1
