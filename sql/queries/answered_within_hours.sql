-- Which share of the activities is answered within 1, 24 and 72 hours, by type and direction?
with answers as (
    select
        type,
        in_out_bound,
        sum(answered) filter (where within_hours <= 1) as within_1,
        sum(answered) filter (where within_hours <= 24) as within_24,
        sum(answered) filter (where within_hours <= 72) as within_72
    from analytics.answer_times
    where month between '2026-01-01' and '2026-12-31'
    group by 1, 2
),

created as (
    select type, type_label, in_out_bound, sum(created) as created
    from analytics.activity_funnel
    where day between '2026-01-01' and '2026-12-31'
    group by 1, 2, 3
)

select
    created.type_label,
    created.in_out_bound,
    created.created,
    round(answers.within_1 / created.created, 3) as within_1_hour,
    round(answers.within_24 / created.created, 3) as within_24_hours,
    round(answers.within_72 / created.created, 3) as within_72_hours
from created
inner join answers using (type, in_out_bound)
order by 1, 2
