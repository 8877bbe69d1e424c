-- Links and former scores of counterparts whose profiles were emptied. This digest is nobody's, so no name is known: of
-- somebody who was not erased on request, it may come again.
with forgotten as (
    update warehouse.entities set digest = '\x00' where id = any(%(ids)s::uuid[])
),

links as (
    delete from warehouse.entity_social_media where entity_id = any(%(ids)s::uuid[])
)

delete from warehouse.entity_scores where entity_id = any(%(ids)s::uuid[])
