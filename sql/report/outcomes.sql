-- How the activities created on these days ended.
select
    coalesce(sum(created), 0)::bigint as created,
    coalesce(sum(accepted) + sum(declined), 0)::bigint as answered,
    coalesce(sum(accepted), 0)::bigint as accepted,
    coalesce(sum(completed), 0)::bigint as completed,
    coalesce(sum(declined), 0)::bigint as declined,
    coalesce(sum(canceled), 0)::bigint as canceled,
    coalesce(sum(pending), 0)::bigint as pending,
    coalesce(sum(other), 0)::bigint as other
from analytics.activity_funnel
where day between %(first)s and %(last)s
