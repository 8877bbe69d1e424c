-- What of some activities is in quarantine, settled or not.
select id, activity_id, payload
from sync.quarantine
where activity_id = any(%(ids)s::text[]) and payload is not null
