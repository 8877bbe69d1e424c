-- The coverage of some days. As runs of consecutive days: one day after another, by itself, would cost a query each.
select coverage.*
from (
    select min(day) as first, max(day) as last
    from (
        select day, day - row_number() over (order by day)::integer as run
        from unnest(%(days)s::date[]) as day
    ) as each
    group by run
) as part
cross join lateral sync.coverage_of(part.first, part.last) as coverage
order by day
