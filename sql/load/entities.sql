-- Counterparts: the latest observation wins. The anti-join keeps an unchanged one from being
-- locked or written; the condition behind the conflict settles a race with an overlapping run.
insert into warehouse.entities as stored (
    id, name, cifcode, type, avatar, score, scoring_level, unregistered, created_at,
    digest, observed_at
)
select
    stage.id, stage.name, stage.cifcode, stage.type, stage.avatar, stage.score,
    stage.scoring_level, stage.unregistered, stage.created_at, stage.digest, stage.observed_at
from stage_entities as stage
left join warehouse.entities as known using (id)
where known.id is null
    or (known.digest <> stage.digest and known.observed_at <= stage.observed_at)
order by stage.id
on conflict (id) do update set
    name = excluded.name,
    cifcode = excluded.cifcode,
    type = excluded.type,
    avatar = excluded.avatar,
    score = excluded.score,
    scoring_level = excluded.scoring_level,
    unregistered = excluded.unregistered,
    created_at = excluded.created_at,
    digest = excluded.digest,
    observed_at = excluded.observed_at
where stored.digest <> excluded.digest and stored.observed_at <= excluded.observed_at
returning stored.id::text
