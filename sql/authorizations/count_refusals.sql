-- Count a call for each of these queued requests, which the service refused; with the last one it has failed.
update warehouse.authorization_requests
set
    attempts = attempts + 1,
    state = case when attempts + 1 < %(most)s then 'queued' else 'failed' end,
    state_reason = case
        when attempts + 1 < %(most)s then state_reason
        else format('refused in %%s runs; the last time: %%s', attempts + 1, state_reason)
    end
where id = any(%(ids)s::uuid[])
    and state = 'queued'
returning state = 'failed'
