-- What another system wrote, as it is sent: the number in E.164, whom it reaches, and the reference of the message. A queued request to a
-- person whose data were erased since has failed. One that was erased itself stays empty.
update warehouse.authorization_requests as request
set
    phone_number = %(number)s,
    subscriber = %(subscriber)s,
    message_reference = %(reference)s,
    state = case when request.state = 'queued' and person.erased then 'failed' else request.state end,
    state_reason = case
        when request.state = 'queued' and person.erased then 'the person''s data were erased on request'
        else request.state_reason
    end
from (select sync.is_erased_phone(%(subscriber)s) or sync.is_erased_phone(%(number)s) as erased) as person
where request.id = %(id)s::uuid
    and request.phone_number <> ''
