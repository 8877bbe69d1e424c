-- queued -> failed, of people whose data were erased at their request since they were queued.
update warehouse.authorization_requests as request
set
    state = 'failed',
    state_reason = 'the person''s data were erased on request'
where request.state = 'queued'
    and exists (
        select
        from warehouse.authorization_requests as earlier
        inner join sync.erased_entities as erased on erased.entity_id::text = earlier.counterpart_id
        where earlier.phone_number = request.phone_number
    )
