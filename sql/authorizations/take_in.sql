-- What another system wrote, as it is sent: the number in E.164, and the reference of the message. A queued request to a
-- person whose data were erased since has failed.
update warehouse.authorization_requests as request
set
    phone_number = given.phone_number,
    message_reference = %(reference)s,
    state = case when given.refused then 'failed' else request.state end,
    state_reason = case when given.refused then 'the person''s data were erased on request' else request.state_reason end
from (
    select
        queued.id,
        %(number)s as phone_number,
        queued.state = 'queued' and sync.is_erased_phone(%(number)s) as refused
    from warehouse.authorization_requests as queued
    where queued.id = %(id)s::uuid
) as given
where request.id = given.id
