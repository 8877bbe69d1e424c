-- Activities that name a counterpart now, and those with a response that mentions it; whether they name it.
select found.id::text, bool_or(found.own)
from (
    select id, true
    from warehouse.activities
    where entity_id = %(entity)s::uuid
    union all
    select activity_id, false
    from landing.activity_details
    where landing.mentions(body, %(entity)s::uuid)
    union all
    select activity_id, false
    from landing.activity_list_rows
    where landing.mentions(body, %(entity)s::uuid)
) as found (id, own)
group by found.id
order by found.id
