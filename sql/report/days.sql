-- Per day: how many activities the service lists, and how many of them are stored.
select
    each.day::date as day,
    case
        when coverage.day is null then 'never walked'
        when coverage.incomplete is not null then 'not complete'
        else 'complete'
    end as state,
    coalesce(coverage.listed, 0) as listed,
    coalesce(coverage.stored, 0) as stored,
    coalesce(coverage.quarantined, 0) as quarantined
from generate_series(%(first)s::date, %(last)s::date, interval '1 day') as each (day)
left join sync.coverage as coverage on coverage.day = each.day
order by 1
