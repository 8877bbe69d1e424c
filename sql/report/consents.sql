-- Requirements of the activities created on these days: how many may be read now, and why others may not.
select
    case
        when readable_from is null then outcome
        when ended_by is not null then ended_by
        when readable_until <= now() then 'expired'
        else 'readable now'
    end as state,
    count(*) as requirements,
    count(*) filter (where direction = 'to us') as to_us,
    count(*) filter (where direction = 'from us') as from_us,
    count(*) filter (where direction = 'both ways') as both_ways,
    count(*) filter (where direction is null) as not_known
from analytics.requirements
where created_day between %(first)s and %(last)s
group by 1
order by 2 desc, 1
