-- Scores of some counterparts that came with a response whose body was emptied since: only these rows tell them.
select scored.entity_id::text, scored.observed_at, scored.score, scored.scoring_level
from warehouse.entity_scores as scored
where scored.entity_id = any(%(ids)s::uuid[])
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
