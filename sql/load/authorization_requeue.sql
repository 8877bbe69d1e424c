-- The call surely had no effect. Tried again a few times, then it has failed.
update warehouse.authorization_requests
set
    state = case when attempts < %(most_attempts)s then 'queued' else 'failed' end,
    state_reason = case
        when attempts < %(most_attempts)s then 'sent again: ' || coalesce(state_reason, 'no answer')
            || '; it had no effect'
        else attempts || ' calls had no effect; the last one: ' || coalesce(state_reason, 'no answer')
    end,
    sent_at = case when attempts < %(most_attempts)s then null else sent_at end,
    answered_at = case when attempts < %(most_attempts)s then null else answered_at end,
    candidates = '[]',
    next_look_at = null
where id = %(id)s::uuid
    and state = 'unknown'
