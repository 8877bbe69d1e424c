-- How activities ended, by week of creation. Weeks begin on Monday.
select
    counted.created_week as week_of,
    case
        when bool_and(day.week_is_whole)
            and counted.created_week >= %(first)s and counted.created_week + 6 <= %(last)s then 'whole'
        else 'part'
    end as week,
    sum(counted.created)::bigint as created,
    sum(counted.accepted)::bigint as accepted,
    sum(counted.shares)::bigint as shares,
    sum(counted.declined)::bigint as declined,
    sum(counted.canceled)::bigint as canceled,
    sum(counted.pending)::bigint as pending,
    sum(counted.other)::bigint as other
from analytics.activities_by_created_day as counted
inner join analytics.days as day on day.day = counted.created_day
where counted.created_day between %(first)s and %(last)s
group by 1
order by 1
