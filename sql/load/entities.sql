-- Counterparts: the latest observation wins. The anti-join keeps one that was observed later from being
-- locked; the condition behind the conflict decides a race with another run. A form that only repeats
-- what was stored keeps the time of its first observation. One that somebody altered can claim to be newer than any
-- response.
insert into warehouse.entities as stored (
    id, name, cifcode, type, avatar, score, scoring_level, unregistered, created_at,
    digest, observed_at
)
select
    stage.id, stage.name, stage.cifcode, stage.type, stage.avatar, stage.score,
    stage.scoring_level, stage.unregistered, stage.created_at, stage.digest, stage.observed_at
from stage_entities as stage
left join warehouse.entities as known using (id)
where known.id is null or known.observed_at <= stage.observed_at or known.digest = ''
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
    observed_at = case
        -- So does one that somebody altered.
        when stored.digest in (excluded.digest, '') then least(stored.observed_at, excluded.observed_at)
        else excluded.observed_at
    end
where stored.observed_at <= excluded.observed_at or stored.digest = ''
returning stored.id::text
