-- Count days again of which single activities were fetched; write only counts that changed.
update sync.coverage as known set
    stored = counted.stored,
    quarantined = counted.quarantined,
    gone = counted.gone
from unnest(%(days)s::date[]) as touched (day)
cross join lateral sync.count_day(touched.day) as counted
where known.day = touched.day
    and (known.stored, known.quarantined, known.gone)
    is distinct from (counted.stored, counted.quarantined, counted.gone)
