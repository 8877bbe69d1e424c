-- Names and scores over time
select valid_from, valid_to, name, score, scoring_level, is_unregistered as unregistered
from analytics.entity_history
where entity_id = %(entity)s::uuid
order by valid_from
