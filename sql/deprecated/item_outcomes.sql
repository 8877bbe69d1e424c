-- depends: requirements, items
create view analytics.item_outcomes as
select
    answer.created_day as day,
    answer.activity_type as type,
    type.label as type_label,
    answer.in_out_bound,
    answer.direction,
    answer.code,
    answer.code_label,
    answer.is_item,
    answer.item_code,
    answer.item_label,
    count(*) filter (where answer.asked) as asked,
    count(*) filter (where answer.asked and answer.outcome = 'accepted') as given,
    count(*) filter (where answer.asked and answer.outcome = 'partly') as partly,
    count(*) filter (where answer.asked and answer.outcome = 'declined') as declined,
    count(*) filter (where answer.asked and answer.outcome = 'pending') as pending,
    count(*) filter (where answer.asked and answer.outcome = 'unanswered') as unanswered,
    count(*) filter (where not answer.asked) as unasked,
    round(
        count(*) filter (where answer.asked and answer.outcome in ('accepted', 'partly'))::numeric
        / nullif(count(*) filter (where answer.asked and answer.outcome in ('accepted', 'partly', 'declined')), 0), 4
    ) as given_rate
from (
    select
        created_day, activity_type, in_out_bound, direction, requirement_code as code,
        requirement_label as code_label, false as is_item, null as item_code, null as item_label, asked, outcome
    from analytics.requirements
    union all
    select
        created_day, activity_type, in_out_bound, direction, requirement_code, requirement_label, true,
        item_code, item_label, asked, outcome
    from analytics.items
) as answer
left join analytics.codes as type on type.kind = 'activity_type' and type.code = answer.activity_type
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
comment on view analytics.item_outcomes is 'Deprecated: requirements and items together. Use analytics.requirements, or analytics.items.';
