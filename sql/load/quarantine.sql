-- One unresolved entry for each subject: a further failure counts an attempt. Until the third failure
-- the next night tries again. Then the pause is a day, and doubles up to a week. It is counted from now:
-- last_seen_at is a stamp, which may be ahead of the time.
insert into sync.quarantine as stored (
    activity_id, source, subject, day, reason, payload, first_seen_at, last_seen_at, next_attempt_at
)
values (
    %(activity_id)s, %(source)s, %(subject)s, %(day)s, %(reason)s, %(payload)s,
    %(at)s, %(at)s, now()
)
on conflict (source, subject) where resolved_at is null do update set
    reason = excluded.reason,
    payload = coalesce(excluded.payload, stored.payload),
    day = case
        when %(day_guessed)s then coalesce(stored.day, excluded.day)
        else coalesce(excluded.day, stored.day)
    end,
    -- Another problem is nobody's decision.
    accepted_at = case when stored.reason = excluded.reason then stored.accepted_at end,
    attempts = stored.attempts + 1,
    last_seen_at = excluded.last_seen_at,
    next_attempt_at = case
        when stored.attempts + 1 < 3 then now()
        else now()
            + least(interval '1 day' * power(2, least(stored.attempts - 2, 10)), interval '7 days')
            - interval '1 hour'
    end
where stored.last_seen_at < excluded.last_seen_at
