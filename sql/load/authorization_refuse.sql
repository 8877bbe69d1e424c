-- Written by another system and not valid: the others go on.
update warehouse.authorization_requests
set
    state = 'failed',
    state_reason = %(reason)s
where id = %(id)s::uuid
    and state = 'queued'
