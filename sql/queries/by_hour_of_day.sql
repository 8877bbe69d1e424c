-- At which hours of the day, in our zone, do we receive requests, and when are requests answered?
select
    moment.hour,
    count(*) filter (where moment.what = 'created' and activity.in_out_bound = 'IN') as received,
    count(*) filter (where moment.what = 'created' and activity.in_out_bound = 'OUT') as sent,
    count(*) filter (where moment.what = 'answered' and activity.answered_by = 'them') as answered_by_them
from analytics.activities as activity
cross join lateral (
    values ('created', activity.created_hour_local), ('answered', activity.answered_hour_local)
) as moment (what, hour)
where activity.created_month between '2026-01-01' and '2026-12-31' and moment.hour is not null
group by 1
order by 1
