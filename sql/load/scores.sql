-- Replaces the kept scores of counterparts by what all responses in landing told: a row where a score differs
-- from the one before. Scores that came with a response whose body was emptied since only the rows tell.
with told as (
    select entity_id, observed_at, score, scoring_level
    from stage_entity_scores
    union all
    select scored.entity_id, scored.observed_at, scored.score, scored.scoring_level
    from warehouse.entity_scores as scored
    where scored.entity_id in (select entity_id from stage_entity_scores)
        and not exists (
            select from stage_entity_scores as stage
            where stage.entity_id = scored.entity_id and stage.observed_at = scored.observed_at
        )
        and (
            exists (
                select from landing.activity_details as details
                where details.first_seen_at = scored.observed_at and details.body = '{}'
            )
            or exists (
                select from landing.activity_list_rows as listed
                where listed.first_seen_at = scored.observed_at and listed.body = '{}'
            )
        )
),

compared as (
    select
        told.*,
        lag(score) over earlier as score_before,
        lag(scoring_level) over earlier as level_before
    from told
    window earlier as (partition by entity_id order by observed_at)
),

kept as (
    select entity_id, observed_at, score, scoring_level
    from compared
    where (score, scoring_level) is distinct from (score_before, level_before)
),

removed as (
    delete from warehouse.entity_scores as stored
    where stored.entity_id in (select entity_id from stage_entity_scores)
        and not exists (
            select from kept
            where kept.entity_id = stored.entity_id and kept.observed_at = stored.observed_at
        )
)

insert into warehouse.entity_scores as stored (entity_id, observed_at, score, scoring_level)
select entity_id, observed_at, score, scoring_level
from kept
on conflict (entity_id, observed_at) do update set
    score = excluded.score,
    scoring_level = excluded.scoring_level
where (stored.score, stored.scoring_level) is distinct from (excluded.score, excluded.scoring_level)
