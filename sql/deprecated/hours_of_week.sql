-- depends: activities
create view analytics.hours_of_week as
select
    fact.created_month as month,
    fact.activity_type as type,
    fact.activity_type_label as type_label,
    fact.in_out_bound,
    extract(isodow from moment.day)::integer as weekday,
    moment.hour,
    count(*) filter (where moment.is_creation) as created,
    count(*) filter (where not moment.is_creation) as answered
from analytics.activities as fact
cross join lateral (
    values (true, fact.created_day, fact.created_hour), (false, fact.answered_day, fact.answered_hour)
) as moment (is_creation, day, hour)
where moment.day is not null
group by 1, 2, 3, 4, 5, 6;
comment on view analytics.hours_of_week is 'Deprecated: use created_hour and answered_hour of analytics.activities.';
