-- depends: activities
-- The dimension of counterparts, with what was asked and answered in each direction. What they do and what
-- we do is never added up.
create view analytics.counterparts as
select
    entity.id as entity_id,
    entity.type as entity_type,
    type.label as entity_type_label,
    case when shown.name then entity.name end as name,
    case when shown.personal then entity.avatar end as avatar,
    case when shown.personal then (
        select jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) order by link.position)
        from warehouse.entity_social_media as link
        where link.entity_id = entity.id
    ) end as social_media,
    entity.cifcode,
    coalesce(entity.unregistered, false) as is_unregistered,
    entity.created_at,
    entity.score,
    entity.scoring_level,
    level.label as scoring_level_label,
    (
        select jsonb_agg(to_jsonb(kept) - 'entity_id' order by kept.observed_at)
        from warehouse.entity_scores as kept
        where kept.entity_id = entity.id
    ) as score_history,
    counted.activities,
    counted.received_activities,
    counted.sent_activities,
    counted.they_accepted_activities,
    counted.they_declined_activities,
    counted.they_ignored_activities,
    counted.their_acceptance_rate,
    counted.we_accepted_activities,
    counted.we_declined_activities,
    counted.we_ignored_activities,
    counted.our_acceptance_rate,
    counted.first_contact_at,
    counted.first_contact_day,
    counted.last_heard_at as last_heard_at_if_ever,
    counted.last_heard_day as last_heard_day_if_ever,
    counted.last_sent_at,
    coalesce(counted.last_heard_at, counted.first_contact_at) as silent_since,
    coalesce(counted.last_heard_day, counted.first_contact_day) as silent_since_day,
    (select erased.erased_at from sync.erased_entities as erased where erased.entity_id = entity.id) as erased_at
from warehouse.entities as entity
cross join lateral (
    select
        entity.unregistered is not true and (select analytics.may_see_personal()) as personal,
        -- The name of a business says who no person is.
        entity.unregistered is not true
        and (entity.type = 'BUSINESS' or (select analytics.may_see_personal())) as name
) as shown
-- For each counterpart, so that one without activities has zeros.
cross join lateral (
    select
        count(*) as activities,
        count(*) filter (where in_out_bound = 'IN') as received_activities,
        count(*) filter (where in_out_bound = 'OUT') as sent_activities,
        count(*) filter (where answered_by = 'them' and outcome = 'accepted') as they_accepted_activities,
        count(*) filter (where answered_by = 'them' and outcome = 'declined') as they_declined_activities,
        count(*) filter (where in_out_bound = 'OUT' and outcome = 'canceled') as they_ignored_activities,
        round(avg((outcome = 'accepted')::integer) filter (
            where answered_by = 'them' and outcome in ('accepted', 'declined')
        ), 4) as their_acceptance_rate,
        count(*) filter (where answered_by = 'us' and outcome = 'accepted') as we_accepted_activities,
        count(*) filter (where answered_by = 'us' and outcome = 'declined') as we_declined_activities,
        count(*) filter (where in_out_bound = 'IN' and outcome = 'canceled') as we_ignored_activities,
        round(avg((outcome = 'accepted')::integer) filter (
            where answered_by = 'us' and outcome in ('accepted', 'declined')
        ), 4) as our_acceptance_rate,
        min(created_at) as first_contact_at,
        min(created_day) as first_contact_day,
        max(case in_out_bound when 'IN' then created_at when 'OUT' then answered_at end) as last_heard_at,
        max(case in_out_bound when 'IN' then created_day when 'OUT' then answered_day end) as last_heard_day,
        max(case in_out_bound when 'OUT' then created_at when 'IN' then answered_at end) as last_sent_at
    from analytics.activities
    where entity_id = entity.id
) as counted
left join analytics.codes as type on type.kind = 'entity_type' and type.code = entity.type
left join analytics.codes as level
    on level.kind = 'scoring_level' and level.code = entity.scoring_level;

comment on view analytics.counterparts is
    'One row per counterpart: who it is, scores, and activities in each direction. Dimension: join it by entity_id.';
comment on column analytics.counterparts.entity_id is 'Individual or business (warehouse.entities.id).';
comment on column analytics.counterparts.entity_type is 'Kind of counterpart, for example INDIVIDUAL or BUSINESS. Open list.';
comment on column analytics.counterparts.entity_type_label is 'Label of the kind.';
comment on column analytics.counterparts.name is 'Display name. Of a person it is personal: null for roles without access to it. Null for unregistered counterparts.';
comment on column analytics.counterparts.avatar is 'Address of the picture. Personal: as name.';
comment on column analytics.counterparts.social_media is 'Links: list of media and url. Personal: as name.';
comment on column analytics.counterparts.cifcode is 'Profile ID. Of a person it is a pseudonym.';
comment on column analytics.counterparts.created_at is 'When the counterpart was created in the service.';
comment on column analytics.counterparts.score is 'Latest score, usually 300 to 850. Of a person it is pseudonymous data.';
comment on column analytics.counterparts.scoring_level_label is 'Label of the level.';
comment on column analytics.counterparts.score_history is 'Every score seen: list of observed_at, score, scoring_level, the oldest first.';
comment on column analytics.counterparts.activities is 'Number of activities with it.';
comment on column analytics.counterparts.received_activities is 'Of these, received from it.';
comment on column analytics.counterparts.sent_activities is 'Of these, sent to it.';
comment on column analytics.counterparts.they_accepted_activities is 'Activities that it accepted by an answer.';
comment on column analytics.counterparts.they_declined_activities is 'Activities that it declined.';
comment on column analytics.counterparts.they_ignored_activities is 'Sent activities that it never answered.';
comment on column analytics.counterparts.their_acceptance_rate is 'they_accepted_activities / (they_accepted_activities + they_declined_activities), 0 to 1. Null: it never answered.';
comment on column analytics.counterparts.we_accepted_activities is 'Activities of it that we accepted by an answer.';
comment on column analytics.counterparts.we_declined_activities is 'Activities of it that we declined.';
comment on column analytics.counterparts.we_ignored_activities is 'Received activities that we never answered.';
comment on column analytics.counterparts.our_acceptance_rate is 'we_accepted_activities / (we_accepted_activities + we_declined_activities), 0 to 1. Null: we never answered.';
comment on column analytics.counterparts.first_contact_at is 'When its first activity was created, in either direction.';
comment on column analytics.counterparts.first_contact_day is 'Day of that in the configured time zone.';
comment on column analytics.counterparts.last_sent_at is 'When we last did something: sent an activity, or answered one.';
comment on column analytics.counterparts.silent_since is 'When it last did something: sent an activity, or answered one. Our own doings do not count. Where it never did, first_contact_at. Null: no activity with it.';
comment on column analytics.counterparts.erased_at is 'When its data were erased because somebody asked for it. Null: not erased.';
comment on column analytics.counterparts.silent_since_day is 'That day in the configured time zone.';
comment on column analytics.counterparts.last_heard_at_if_ever is 'silent_since, if it ever did something. Null: it never did.';
comment on column analytics.counterparts.last_heard_day_if_ever is 'That day in the configured time zone.';
comment on column analytics.counterparts.is_unregistered is 'True when it is not registered, or no longer registered.';
