-- The service created more than one activity for a call: its request has them all.
update warehouse.authorization_requests as request
set
    more_activity_ids = array(
        select distinct activity_id
        from unnest(request.more_activity_ids || %(activities)s::uuid[]) as activity_id
        where activity_id <> request.activity_id
    ),
    state_reason = 'the service created more than one activity for the call'
where request.id = %(id)s::uuid
    and request.state = 'linked'
