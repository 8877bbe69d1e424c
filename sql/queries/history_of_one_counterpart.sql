-- Since when is a counterpart scored as it is? (Here: those with most activities.)
select
    left(history.entity_id::text, 8) as entity, history.score, history.scoring_level,
    history.is_unregistered, history.valid_to is null as present
from (
    select entity_id
    from analytics.counterparts
    order by activities desc, entity_id
    limit 3
) as busiest
inner join analytics.entity_history as history on history.entity_id = busiest.entity_id
order by 1, history.valid_from
