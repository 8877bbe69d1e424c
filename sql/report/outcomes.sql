-- How the activities created on these days ended, by direction.
select
    case in_out_bound when 'IN' then 'received' when 'OUT' then 'sent' else 'other' end as direction,
    coalesce(sum(created_activities), 0)::bigint as created,
    coalesce(sum(answered_activities), 0)::bigint as answered,
    coalesce(sum(accepted_activities), 0)::bigint as accepted,
    coalesce(sum(shares), 0)::bigint as shares,
    coalesce(sum(completed_activities), 0)::bigint as completed,
    coalesce(sum(declined_activities), 0)::bigint as declined,
    coalesce(sum(canceled_activities), 0)::bigint as canceled,
    coalesce(sum(pending_activities), 0)::bigint as pending,
    coalesce(sum(other_activities), 0)::bigint as other
from analytics.activities_by_created_day
where created_day between %(first)s and %(last)s
group by 1
order by 1
