-- What each counterpart was called and how it was scored, as intervals: from every list row in landing, the
-- scores kept beside, and the row as it is. Each observation tells some fields; a field keeps its value
-- until another one is seen. What was erased from landing is not here either.
create view analytics.entity_history as
select
    entity.id as entity_id,
    history.valid_from,
    history.valid_to,
    case
        when entity.unregistered is not true
            and (entity.type = 'BUSINESS' or (select analytics.may_see_personal()))
            then history.name
    end as name,
    history.score,
    history.scoring_level,
    history.unregistered as is_unregistered
from warehouse.entities as entity
cross join lateral (
    with observed as (
        select
            seen.at,
            max(seen.name) as name,
            max(seen.score) as score,
            max(seen.scoring_level) as scoring_level,
            bool_or(seen.unregistered) as unregistered
        from (
            select
                listed.first_seen_at as at,
                said.entity ->> 'name' as name,
                case when jsonb_typeof(said.entity -> 'score') = 'number' then said.entity -> 'score' end::numeric
                as score,
                said.entity ->> 'scoring_level' as scoring_level,
                case
                    when jsonb_typeof(said.entity -> 'unregistered') = 'boolean'
                        then said.entity -> 'unregistered'
                end::boolean as unregistered
            from warehouse.activities as activity
            inner join landing.activity_list_rows as listed on listed.activity_id = activity.id
            cross join lateral (
                select landing.read_json(listed.body) -> 'entity' as entity
                offset 0
            ) as said
            where activity.entity_id = entity.id
                and landing.read_uuid(said.entity ->> 'id') = entity.id
                and listed.first_seen_at < entity.observed_at
            union all
            select kept.observed_at, null, kept.score, kept.scoring_level, null
            from warehouse.entity_scores as kept
            where kept.entity_id = entity.id
            union all
            select
                entity.observed_at, entity.name, entity.score, entity.scoring_level, entity.unregistered
        ) as seen
        group by seen.at
    ),

    -- Of each field the newest value so far.
    filled as (
        select
            at,
            (array_agg(name) filter (where name is not null) over so_far)[count(name) over so_far] as name,
            (array_agg(score) filter (where score is not null) over so_far)[count(score) over so_far] as score,
            (array_agg(scoring_level) filter (where scoring_level is not null) over so_far)[
                count(scoring_level) over so_far
            ] as scoring_level,
            (array_agg(unregistered) filter (where unregistered is not null) over so_far)[
                count(unregistered) over so_far
            ] as unregistered
        from observed
        window so_far as (order by at)
    ),

    changed as (
        select
            filled.*,
            lag((name, score, scoring_level, unregistered)) over (order by at)
            is distinct from (name, score, scoring_level, unregistered) as differs
        from filled
    )

    select
        at as valid_from,
        lead(at) over (order by at) as valid_to,
        name,
        score,
        scoring_level,
        unregistered
    from changed
    where differs
) as history;

comment on view analytics.entity_history is
    'What each counterpart was called and how it was scored, as intervals without gaps, by the times at which we received it. Filter by entity_id: all stored list rows of the counterpart are read.';
comment on column analytics.entity_history.valid_from is 'When we first received it in this form.';
comment on column analytics.entity_history.valid_to is 'When the next form was received. Null: this is the present one.';
comment on column analytics.entity_history.name is 'Display name. Personal: null for roles without access to it, for unregistered counterparts, and where it was erased.';
comment on column analytics.entity_history.is_unregistered is 'True when it is not registered, or no longer registered.';
