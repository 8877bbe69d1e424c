-- Activities never seen. Whoever loses a race for one gets a unique violation and begins anew.
insert into sync.activity_ledger (
    activity_id, day, list_digest, fingerprint, listed_at, details_fingerprint, details_digest,
    mapping_version, checked_at, service_time, final, deadline_at, unlisted_at, gone_at
)
select
    activity_id, day, list_digest, fingerprint, listed_at, details_fingerprint, details_digest,
    mapping_version, checked_at, service_time, final, deadline_at, unlisted_at, gone_at
from stage_ledger
where is_new
