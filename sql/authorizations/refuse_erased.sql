-- queued -> failed, of people whose data were erased at their request since they were queued.
update warehouse.authorization_requests as request
set
    state = 'failed',
    state_reason = 'the person''s data were erased on request'
where request.state = 'queued'
    and sync.is_erased_phone(request.phone_number)
