-- How is each requirement answered, by type and direction, for activities created in one month? (Here: the newest.)
select
    activity_type,
    in_out_bound,
    requirement_code,
    sum(asked) as asked,
    sum(accepted + partly) as accepted,
    sum(declined) as declined,
    sum(pending + unanswered) as not_answered,
    round(sum(accepted + partly) / nullif(sum(accepted + partly + declined), 0), 3) as acceptance_rate
from analytics.requirements_by_created_day
where created_month = (select date_trunc('month', newest_day)::date from analytics.freshness)
group by 1, 2, 3
having sum(asked) > 0
order by 1, 2, 3
limit 20
