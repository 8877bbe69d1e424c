-- After a restore: what is not sent yet, or not known, by the backup may have been sent since. A person decides. By
-- resolved_from, `pipeline authorize resolve --undo` makes an open call open again.
update warehouse.authorization_requests set
    state = 'unknown',
    answered_at = coalesce(answered_at, sent_at)
where state = 'sending';

update warehouse.authorization_requests set
    state = 'failed',
    state_reason = 'the warehouse was restored from a backup: this may have been sent since; look at the service',
    resolved_from = case when state = 'unknown' then 'unknown' end,
    candidates = '[]',
    next_look_at = null
where state in ('queued', 'unknown')
