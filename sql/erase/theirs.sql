-- Those of some activities whose counterpart is a person.
select id::text
from warehouse.activities
where entity_id = %(entity)s::uuid and id = any(%(ids)s::uuid[])
