-- Names, avatars and links of counterparts. Every list row has them and they have no sharing period, so
-- they stay visible when a sharing period ends. A counterpart that deleted its profile is not shown.
-- security_barrier: a function in the reader's query never sees a hidden row.
create view analytics.entity_profiles with (security_barrier) as
select
    entity.id as entity_id,
    entity.name,
    entity.avatar,
    (
        select jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) order by link.position)
        from warehouse.entity_social_media as link
        where link.entity_id = entity.id
    ) as social_media
from warehouse.entities as entity
where entity.unregistered is not true;
comment on view analytics.entity_profiles is 'Deprecated: use analytics.counterparts.';
