-- Of the activities found to be unknown, those that still are.
delete from warehouse.activities as stored
where stored.id = any(%(ids)s::uuid[])
    and not exists (select from landing.activity_details as details where details.activity_id = stored.id)
    and not exists (select from landing.activity_list_rows as listed where listed.activity_id = stored.id)
