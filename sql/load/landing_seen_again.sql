-- Details received again exactly as stored: only last_seen_at of the newest version changes.
update landing.activity_details as stored set
    last_seen_at = seen.at
from unnest(%(ids)s::uuid[], %(times)s::timestamptz[]) as seen (activity_id, at)
where stored.activity_id = seen.activity_id
    and stored.last_seen_at < seen.at
    and stored.first_seen_at = (
        select max(newest.first_seen_at)
        from landing.activity_details as newest
        where newest.activity_id = seen.activity_id
    )
