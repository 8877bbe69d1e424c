-- Activities in the warehouse without any response in landing.
select stored.id::text
from warehouse.activities as stored
where not exists (select from landing.activity_details as details where details.activity_id = stored.id)
    and not exists (select from landing.activity_list_rows as listed where listed.activity_id = stored.id)
order by stored.id
