-- Count days again of which single activities were fetched; write only counts that changed.
update sync.coverage as known set
    stored = counted.stored,
    quarantined = counted.quarantined,
    gone = counted.gone
from sync.count_days(%(days)s::date[]) as counted
where known.day = counted.day
    and (known.stored, known.quarantined, known.gone)
    is distinct from (counted.stored, counted.quarantined, counted.gone)
