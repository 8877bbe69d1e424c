-- Removes the kept scores of counterparts; returns those that came with a response whose body was emptied since: only
-- these rows tell them.
with removed as (
    delete from warehouse.entity_scores
    where entity_id = any(%(ids)s::uuid[])
    returning entity_id::text, observed_at, score::float8, scoring_level
)

select *
from removed
where exists (
    select from landing.activity_details where first_seen_at = observed_at and body = '{}'
)
or exists (
    select from landing.activity_list_rows where first_seen_at = observed_at and body = '{}'
)
