-- How activities ended, by week of creation. Weeks begin on Monday.
select
    counted.created_week as week_of,
    case
        when bool_and(day.is_whole_week)
            and counted.created_week >= %(first)s and counted.created_week + 6 <= %(last)s then 'whole'
        else 'part'
    end as week,
    sum(counted.created_activities)::bigint as created,
    sum(counted.accepted_activities)::bigint as accepted,
    sum(counted.shares)::bigint as shares,
    sum(counted.declined_activities)::bigint as declined,
    sum(counted.canceled_activities)::bigint as canceled,
    sum(counted.pending_activities)::bigint as pending,
    sum(counted.other_activities)::bigint as other
from analytics.activities_by_created_day as counted
inner join analytics.days as day on day.day = counted.created_day
where counted.created_day between %(first)s and %(last)s
group by 1
order by 1
