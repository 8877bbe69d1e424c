-- Stored counterparts with their links, in the order of ENTITY_COLUMNS.
select
    entity.id::text, entity.name, entity.cifcode::text, entity.type, entity.avatar,
    entity.score::float8, entity.scoring_level, entity.unregistered, entity.created_at, entity.digest, entity.observed_at,
    (
        select coalesce(jsonb_agg(jsonb_build_array(link.position, link.media, link.url) order by link.position), '[]')
        from warehouse.entity_social_media as link
        where link.entity_id = entity.id
    ) as social_media
from warehouse.entities as entity
where entity.id = any(%(ids)s::uuid[])
