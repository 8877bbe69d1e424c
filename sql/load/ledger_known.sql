-- Activities seen before; their rows have been locked since the batch began.
update sync.activity_ledger as ledger set
    day = stage.day,
    listed = stage.listed,
    listed_at = stage.listed_at,
    settled = stage.settled,
    details = stage.details,
    mapping_version = stage.mapping_version,
    checked_at = stage.checked_at,
    service_time = stage.service_time,
    final = stage.final,
    deadline_at = stage.deadline_at,
    withheld_at = stage.withheld_at,
    unlisted_at = stage.unlisted_at,
    gone_at = stage.gone_at,
    altered = stage.altered,
    odd = stage.odd,
    odd_run = stage.odd_run,
    not_yet_at = stage.not_yet_at
from stage_activity_ledger as stage
where stage.activity_id = ledger.activity_id
