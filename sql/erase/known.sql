-- What happens to values that expired; and what of a batch was erased before, so that it is kept out:
-- activities with all reasons, counterparts with the reason for their activities.
select
    coalesce((select expired_values from sync.privacy), 'hide') as policy,
    (
        select coalesce(jsonb_object_agg(log.activity_id, log.reasons), '{}')
        from (
            select activity_id, jsonb_agg(reason) as reasons
            from sync.erasures
            where activity_id = any(%(activities)s::uuid[])
            group by activity_id
        ) as log
    ) as activities,
    (
        select coalesce(
            jsonb_object_agg(entity_id, case when messages then 'messages' else 'request' end), '{}'
        )
        from sync.erased_entities
        where %(entities)s::uuid[] is null or entity_id = any(%(entities)s::uuid[])
    ) as entities
