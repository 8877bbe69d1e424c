-- Which of some runs were not over when this one began.
select earlier.run_id
from sync.runs as earlier
inner join sync.runs as this
    on this.run_id = %(run_id)s
    and (earlier.finished_at is null or earlier.finished_at > this.started_at)
where earlier.run_id = any(%(runs)s)
