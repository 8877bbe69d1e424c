-- sending -> unknown, of calls whose process died: only whoever holds the sender's lock may say so.
update warehouse.authorization_requests
set
    state = 'unknown',
    state_reason = 'the process that made the call died before its answer was recorded',
    answered_at = greatest(%(now)s::timestamptz, sent_at),
    next_look_at = now()
where state = 'sending'
