-- What quarantine holds that mentions a counterpart.
select id, activity_id, payload
from sync.quarantine
where position(%(small)s::bytea in payload) > 0
    or position(%(capitals)s::bytea in payload) > 0
