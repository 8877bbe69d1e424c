-- depends: 0085_known_from_tables
-- The zone that days are cut in stands in one place. The facts have smaller indexes (sql/views).

create view sync.calendar as
select
    fact.time_zone,
    (now() at time zone fact.time_zone)::date as today,
    fact.start_date
from (
    select
        coalesce(max(value) filter (where fact = 'configured_zone'), 'UTC') as time_zone,
        max(value) filter (where fact = 'start_date')::date as start_date
    from sync.service_facts
) as fact;

drop index if exists analytics.requirements_entity, analytics.items_entity;
