-- depends: activities
create view analytics.deprecated_activities as
select
    fact.activity_id as id,
    fact.created_day as day,
    fact.activity_type as type,
    fact.activity_type_label as type_label,
    fact.activity_type_name as type_name,
    fact.in_out_bound,
    bound.label as in_out_bound_label,
    fact.status,
    fact.status_label,
    case when fact.outcome = 'share' then 'accepted' else fact.outcome end as stage,
    fact.final,
    fact.entity_id,
    case
        when entity.unregistered is not true and (select analytics.may_see_personal())
            then entity.name
    end as entity_name,
    entity.type as entity_type,
    entity_type.label as entity_type_label,
    entity.score as entity_score,
    entity.scoring_level as entity_scoring_level,
    entity.unregistered as entity_unregistered,
    fact.time_zone,
    fact.created_at,
    fact.updated_at,
    fact.valid_until,
    fact.answered_at as attended_at,
    fact.completed_at,
    fact.expires_at,
    fact.expires_in_time_unit,
    fact.expires_in_amount,
    fact.answered_at - fact.created_at as created_to_attended,
    fact.completed_at - fact.answered_at as attended_to_completed,
    fact.first_seen_at,
    fact.details_fetched_at,
    fact.gone_at,
    fact.values_erased_at,
    fact.hours_to_answer as created_to_attended_hours,
    extract(epoch from fact.completed_at - fact.answered_at)::double precision / 3600 as attended_to_completed_hours,
    fact.personal_erased_at
from analytics.activities as fact
left join warehouse.entities as entity on entity.id = fact.entity_id
left join analytics.codes as entity_type
    on entity_type.kind = 'entity_type' and entity_type.code = entity.type
left join analytics.codes as bound
    on bound.kind = 'in_out_bound' and bound.code = fact.in_out_bound;
comment on view analytics.deprecated_activities is 'Deprecated: until now analytics.activities. Use analytics.activities.';
