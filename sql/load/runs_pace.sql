-- Requests a second of the latest runs that sent enough to measure it.
select (sum(requests) / nullif(sum(extract(epoch from finished_at - started_at)), 0))::float8
from (
    select requests, finished_at, started_at
    from sync.runs
    where finished_at is not null and status <> 'failed' and requests >= 100
    order by started_at desc
    limit 5
) as latest
