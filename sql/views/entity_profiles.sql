-- Names, avatars and links of counterparts. They come with every row of the list and are not shared
-- for a period, so that they stay when a sharing period ends; who deletes the profile is shown no
-- more. A barrier: no function of the reader's sees a row that is not shown.
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

comment on view analytics.entity_profiles is
    'Who the registered counterparts are: for the role analyst_personal. Personal.';
comment on column analytics.entity_profiles.entity_id is 'The counterpart (warehouse.entities.id).';
comment on column analytics.entity_profiles.name is 'Display name. Personal.';
comment on column analytics.entity_profiles.avatar is 'Address of the avatar, a URL. Personal.';
comment on column analytics.entity_profiles.social_media is 'Social links in the order received, [{"media", "url"}]; null: none. Personal.';
