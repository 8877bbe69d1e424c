-- What another system wrote, as it is sent: the number in E.164, and of a queued request the reference of its message.
update warehouse.authorization_requests
set
    phone_number = %(number)s,
    message_reference = case when state = 'queued' then %(reference)s else message_reference end
where id = %(id)s::uuid
