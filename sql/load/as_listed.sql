-- What the list has had on some days, with details that came since: by day, the id and the meaning of each activity,
-- 16 bytes each. As one value a day, since to fetch thousands of rows would cost more than all that is done with them.
select day, string_agg(uuid_send(activity_id) || listed, ''::bytea)
from sync.activity_ledger
where day = any(%(days)s::date[])
    and settled = listed
    and unlisted_at is null
    and spelling is null
    and octet_length(listed) = 16
group by day
