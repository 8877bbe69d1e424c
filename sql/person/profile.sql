-- Profile
select
    profile.id::text as id, profile.name, profile.type, profile.avatar, profile.score,
    profile.scoring_level, profile.unregistered, profile.created_at, profile.observed_at,
    (
        select jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) order by link.position)
        from warehouse.entity_social_media as link
        where link.entity_id = profile.id
    ) as social_media
from warehouse.entities as profile
where profile.id = %(entity)s::uuid
