-- What became of the authorization requests that were written on these days.
select
    result,
    count(*) as requests,
    percentile_cont(0.5) within group (order by hours_to_answer) * interval '1 hour'
        as "half answered within",
    sum(requirements_accepted)::bigint as requirements_accepted,
    sum(requirements_readable)::bigint as readable_now
from analytics.authorization_outcomes
where requested_day between %(first)s and %(last)s
group by result
order by 2 desc, 1
