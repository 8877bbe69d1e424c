-- How activities ended, by week of creation. Weeks begin on Monday.
select
    date_trunc('week', day)::date as week_of,
    sum(created)::bigint as created,
    sum(accepted)::bigint as accepted,
    sum(declined)::bigint as declined,
    sum(canceled)::bigint as canceled,
    sum(pending)::bigint as pending,
    sum(other)::bigint as other
from analytics.activity_funnel
where day between %(first)s and %(last)s
group by 1
order by 1
