-- The ledger stores that the service withholds details. Until now this was inferred from times and from the
-- stored responses; this migration infers it once for the rows that exist.

alter table sync.activity_ledger add column withheld_at timestamptz;

-- A refusal moved checked_at, but not when the stored details were last received. For an activity that
-- is gone, checked_at is the time of that later refusal, so the list row that came with the first one
-- tells when that was.
update sync.activity_ledger as ledger set
    withheld_at = case when ledger.gone_at is null then ledger.checked_at else ledger.listed_at end
from (
    select known.activity_id
    from sync.activity_ledger as known
    cross join lateral (
        select body
        from landing.activity_list_rows as version
        where version.activity_id = known.activity_id
        order by version.first_seen_at desc
        limit 1
    ) as listed
    left join lateral (
        select last_seen_at, body
        from landing.activity_details as version
        where version.activity_id = known.activity_id
        order by version.first_seen_at desc
        limit 1
    ) as details on true
    where known.checked_at is not null
        and known.details_fingerprint = known.fingerprint
        and case
            when details.body is null then true
            when known.checked_at <= details.last_seen_at then false
            when known.gone_at is not null and known.listed_at <= details.last_seen_at then false
            else
                landing.read_json(listed.body) ->> 'status' = 'EXPIRED'
                and landing.read_json(details.body) ->> 'status' is distinct from 'EXPIRED'
        end
) as withheld
where ledger.activity_id = withheld.activity_id;
