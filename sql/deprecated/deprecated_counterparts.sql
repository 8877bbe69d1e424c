-- depends: counterparts, counterpart_activity
create view analytics.deprecated_counterparts as
select
    now_is.entity_id,
    now_is.entity_type as type,
    now_is.entity_type_label as type_label,
    now_is.name,
    now_is.cifcode,
    now_is.unregistered,
    now_is.created_at,
    now_is.score,
    now_is.scoring_level,
    now_is.scoring_level_label,
    now_is.score_history,
    counted.activities,
    counted.received,
    counted.sent,
    counted.pending,
    counted.accepted,
    counted.declined,
    counted.canceled,
    round(
        counted.accepted::numeric / nullif(counted.accepted + counted.declined, 0), 4
    ) as acceptance_rate,
    counted.first_contact_at,
    counted.last_contact_at
from analytics.counterparts as now_is
inner join analytics.counterpart_activity as counted on counted.entity_id = now_is.entity_id;
comment on view analytics.deprecated_counterparts is 'Deprecated: until now analytics.counterparts. acceptance_rate mixes our answers with theirs: use analytics.counterparts.';
