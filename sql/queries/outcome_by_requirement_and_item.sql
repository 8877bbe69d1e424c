-- How is each requirement and each item answered, by type and direction, for activities created in one month? (Here: the newest.)
select
    type_label,
    in_out_bound,
    code,
    item_code,
    sum(asked) as asked,
    sum(given + partly) as given,
    sum(declined) as declined,
    sum(pending + unanswered) as not_answered,
    round(sum(given + partly) / nullif(sum(given + partly + declined), 0), 3) as given_rate
from analytics.item_outcomes
where day between (select date_trunc('month', newest_day)::date from analytics.freshness)
    and (select newest_day from analytics.freshness)
group by 1, 2, 3, 4, is_item
having sum(asked) > 0
order by 1, 2, 3, is_item, 4
limit 20
