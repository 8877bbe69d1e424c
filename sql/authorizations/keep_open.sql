-- The request stays open, with the activities that may be its own and the time of the next look.
update warehouse.authorization_requests
set
    candidates = %(candidates)s,
    next_look_at = now() + %(look_in)s::interval
where id = %(id)s::uuid
    and state in ('sent', 'unknown')
