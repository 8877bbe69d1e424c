-- Resolves the entries of subjects that were received after they last failed.
update sync.quarantine as entry set resolved_at = now()
from unnest(%(sources)s::text[], %(subjects)s::text[], %(times)s::timestamptz[])
    as received (source, subject, at)
where
    entry.source = received.source
    and entry.subject = received.subject
    and entry.resolved_at is null
    and entry.last_seen_at <= received.at
returning entry.subject
