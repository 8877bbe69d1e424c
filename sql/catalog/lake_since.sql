-- When a run began that has ended.
select started_at
from sync.runs
where run_id = %(run_id)s and finished_at is not null
