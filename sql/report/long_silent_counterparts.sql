-- Since which month have how many counterparts been silent?
-- Written from sql/metrics.yml.
select
    date_trunc('month', silent_since_day)::date as silent_since_month,
    entity_type_label,
    count(*) as counterparts,
    count(*) filter (where last_heard_at_if_ever is null) as never_heard_counterparts
from analytics.counterparts
where silent_since is not null
group by 1, 2
order by 1, 2
