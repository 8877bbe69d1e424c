-- Activities seen before; their rows have been locked since the batch began.
update sync.activity_ledger as ledger set
    day = stage.day,
    list_digest = stage.list_digest,
    fingerprint = stage.fingerprint,
    listed_at = stage.listed_at,
    details_fingerprint = stage.details_fingerprint,
    details_digest = stage.details_digest,
    mapping_version = stage.mapping_version,
    checked_at = stage.checked_at,
    service_time = stage.service_time,
    final = stage.final,
    deadline_at = stage.deadline_at,
    withheld_at = stage.withheld_at,
    gone_at = stage.gone_at
from stage_activity_ledger as stage
where stage.activity_id = ledger.activity_id
