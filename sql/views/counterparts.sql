-- depends: counterpart_activity
-- All counterparts: the counts as of the last refresh, everything else as it is now.
create view analytics.counterparts as
select
    entity.id as entity_id,
    entity.type,
    type.label as type_label,
    case
        when entity.unregistered is not true and (select analytics.may_see_personal())
            then entity.name
    end as name,
    entity.cifcode,
    entity.unregistered,
    entity.created_at,
    entity.score,
    entity.scoring_level,
    level.label as scoring_level_label,
    (
        select jsonb_agg(
            jsonb_build_object(
                'observed_at', kept.observed_at,
                'score', kept.score,
                'scoring_level', kept.scoring_level
            )
            order by kept.observed_at
        )
        from warehouse.entity_scores as kept
        where kept.entity_id = entity.id
    ) as score_history,
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
from analytics.counterpart_activity as counted
inner join warehouse.entities as entity on entity.id = counted.entity_id
left join analytics.codes as type on type.kind = 'entity_type' and type.code = entity.type
left join analytics.codes as level
    on level.kind = 'scoring_level' and level.code = entity.scoring_level;

comment on view analytics.counterparts is
    'One row per counterpart: number of activities, acceptance, last contact and scores. Filter by entity_id, or order by activities or last_contact_at.';
comment on column analytics.counterparts.entity_id is 'ID of the individual or business.';
comment on column analytics.counterparts.type is 'Kind of counterpart, for example INDIVIDUAL or BUSINESS.';
comment on column analytics.counterparts.type_label is 'Label of the kind.';
comment on column analytics.counterparts.name is 'Display name. Personal: null for roles without access to it, and for unregistered counterparts.';
comment on column analytics.counterparts.cifcode is 'Profile ID.';
comment on column analytics.counterparts.unregistered is 'True when it is not registered, or no longer registered.';
comment on column analytics.counterparts.created_at is 'When the counterpart was created.';
comment on column analytics.counterparts.score is 'Latest score, usually 300 to 850.';
comment on column analytics.counterparts.scoring_level is 'Latest scoring level.';
comment on column analytics.counterparts.scoring_level_label is 'Label of the level.';
comment on column analytics.counterparts.score_history is 'Every score seen for it, oldest first: an array of objects with observed_at, score and scoring_level. Null: none.';
comment on column analytics.counterparts.activities is 'Number of activities with it, as of the last refresh, like the next columns.';
comment on column analytics.counterparts.received is 'Of these, received from it (IN).';
comment on column analytics.counterparts.sent is 'Of these, sent to it (OUT).';
comment on column analytics.counterparts.pending is 'Of these, not answered yet, and still offered.';
comment on column analytics.counterparts.accepted is 'Of these, accepted in whole or in part, also when completed, expired or canceled since.';
comment on column analytics.counterparts.declined is 'Of these, declined, also when canceled since.';
comment on column analytics.counterparts.canceled is 'Of these, never answered.';
comment on column analytics.counterparts.acceptance_rate is 'accepted / (accepted + declined), 0 to 1. Null: none answered.';
comment on column analytics.counterparts.first_contact_at is 'When its first activity was created.';
comment on column analytics.counterparts.last_contact_at is 'When an activity with it was last created, answered or completed.';
