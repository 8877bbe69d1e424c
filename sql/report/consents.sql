-- Requirements of the activities created on these days: how many may be read now, and why others may not.
select
    coalesce(why_not, 'readable now') as state,
    count(*) as requirements,
    count(*) filter (where direction = 'to us') as to_us,
    count(*) filter (where direction = 'from us') as from_us,
    count(*) filter (where direction = 'both ways') as both_ways,
    count(*) filter (where direction is null) as not_known
from analytics.consents
where day between %(first)s and %(last)s and not is_item
group by 1
order by 2 desc, 1
