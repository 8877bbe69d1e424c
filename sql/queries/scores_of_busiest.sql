-- How did the scores of the counterparts with most activities change?
select
    left(busiest.entity_id::text, 8) as entity,
    (observed.score ->> 'score')::numeric as score,
    observed.score ->> 'scoring_level' as scoring_level,
    observed.place = jsonb_array_length(busiest.score_history) as latest
from (
    select entity_id, score_history
    from analytics.counterparts
    order by activities desc, entity_id
    limit 3
) as busiest
cross join lateral jsonb_array_elements(busiest.score_history)
    with ordinality as observed (score, place)
order by 1, observed.place
