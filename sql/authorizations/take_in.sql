-- What another system wrote, as it is sent: the number in E.164, and the reference of the message.
update warehouse.authorization_requests
set phone_number = %(number)s, message_reference = %(reference)s
where id = %(id)s::uuid
