-- depends: activities
create view analytics.answer_times as
select
    created_month as month,
    activity_type as type,
    activity_type_label as type_label,
    in_out_bound,
    -- From a year on one row is enough.
    least(greatest(ceil(hours_to_answer), 0), 8760)::integer as within_hours,
    count(*) as answered
from analytics.activities
where hours_to_answer is not null
group by 1, 2, 3, 4, 5;
comment on view analytics.answer_times is 'Deprecated: use hours_to_answer of analytics.activities.';
