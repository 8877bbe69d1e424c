-- Nobody else sends now, so the process that left a call in the middle is dead. Its end is not known;
-- it came before this moment.
update warehouse.authorization_requests
set
    state = 'unknown',
    state_reason = 'the process that made the call died before its answer was recorded',
    answered_at = greatest(%(now)s, sent_at),
    next_look_at = now()
where state = 'sending'
