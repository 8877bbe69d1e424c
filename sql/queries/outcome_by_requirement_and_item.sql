-- How is each requirement answered, by type and direction, for activities created in one month? (Here: the newest.)
select
    activity_type,
    in_out_bound,
    requirement_code,
    count(*) as asked,
    count(*) filter (where outcome in ('accepted', 'partly')) as accepted,
    count(*) filter (where outcome = 'declined') as declined,
    count(*) filter (where outcome in ('pending', 'unanswered')) as not_answered,
    count(*) filter (where outcome = 'not_known') as not_known,
    round(avg(is_accepted::integer) filter (where is_in_acceptance_rate), 3) as acceptance_rate
from analytics.requirements
where is_asked and created_month = (select date_trunc('month', newest_day)::date from analytics.freshness)
group by 1, 2, 3
order by 1, 2, 3
limit 20
