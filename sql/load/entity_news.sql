-- Observed forms of counterparts that are not stored: with the stored form and its links, in the order of
-- ENTITY_COLUMNS, or nulls.
select
    asked.id::text, asked.digest, entity.name, entity.cifcode::text, entity.type, entity.avatar,
    entity.score::float8, entity.scoring_level, entity.unregistered, entity.created_at, entity.digest, entity.observed_at,
    (
        select coalesce(jsonb_agg(jsonb_build_array(link.position, link.media, link.url) order by link.position), '[]')
        from warehouse.entity_social_media as link
        where link.entity_id = entity.id
    ) as social_media
from unnest(%(ids)s::uuid[], %(digests)s::bytea[]) as asked (id, digest)
left join warehouse.entities as entity on entity.id = asked.id
where entity.digest is distinct from asked.digest
