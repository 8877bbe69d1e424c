-- Not decided by this look. Written only where it says something new.
update warehouse.authorization_requests
set
    candidates = %(candidates)s,
    next_look_at = now() + %(look_in)s::interval
where id = %(id)s::uuid
    and state in ('sent', 'unknown')
