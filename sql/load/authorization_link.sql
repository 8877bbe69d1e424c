-- An activity belongs to one request only; whoever holds it keeps it.
update warehouse.authorization_requests as request
set
    state = 'linked',
    activity_id = %(activity_id)s::uuid,
    candidates = '[]',
    next_look_at = null
where request.id = %(id)s::uuid
    and request.state in ('sent', 'unknown')
    and not exists (
        select from warehouse.authorization_requests as other
        where other.activity_id = %(activity_id)s::uuid
    )
