-- Altered counterparts can claim to be newer than any response: then no observation could restore them.
update warehouse.entities as stored set observed_at = seen.observed_at
from unnest(%(ids)s::uuid[], %(times)s::timestamptz[]) as seen (id, observed_at)
where stored.id = seen.id and stored.observed_at > seen.observed_at
