-- Resolves the entries of subjects that were received after they last failed.
update sync.quarantine as entry set resolved_at = now()
from unnest(%(subjects)s::text[], %(times)s::timestamptz[]) as received (subject, at)
where
    entry.source = %(source)s
    and entry.subject = received.subject
    and entry.resolved_at is null
    and entry.last_seen_at <= received.at
returning entry.subject
