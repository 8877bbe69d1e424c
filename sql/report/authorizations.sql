-- What became of the authorization requests that were written on these days.
select
    outcome.result,
    count(*) as requests,
    percentile_cont(0.5) within group (order by outcome.hours_to_answer) * interval '1 hour'
        as "half answered within",
    sum(outcome.given)::bigint as requirements_given,
    sum(outcome.readable_now)::bigint as readable_now
from analytics.authorization_outcomes as outcome
left join sync.service_facts as known on known.fact = 'configured_zone'
where (outcome.requested_at at time zone coalesce(known.value, 'UTC'))::date between %(first)s and %(last)s
group by outcome.result
order by 2 desc, 1
