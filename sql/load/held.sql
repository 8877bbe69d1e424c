-- What the tables hold of activities and of their counterparts, as one digest each, and when details were
-- last received and stored. The digest leaves out when things were received or erased. It is compared with one of
-- the same session, and never stored.
select
    ledger.activity_id::text,
    ledger.checked_at,
    md5(concat_ws(
        ';',
        to_jsonb(activity) - array['first_seen_at', 'details_fetched_at', 'values_erased_at'],
        to_jsonb(entity) - array['digest', 'observed_at'],
        (
            select string_agg(link::text, ',' order by link::text)
            from warehouse.entity_social_media as link
            where link.entity_id = activity.entity_id
        ),
        (
            select string_agg(requirement::text, ',' order by requirement::text)
            from warehouse.requirements as requirement
            where requirement.activity_id = ledger.activity_id
        ),
        (
            select string_agg(item::text, ',' order by item::text)
            from warehouse.requirement_items as item
            where item.activity_id = ledger.activity_id
        ),
        (
            select string_agg(item::text, ',' order by item::text)
            from warehouse.accepted_items as item
            where item.activity_id = ledger.activity_id
        ),
        (
            select string_agg(event::text, ',' order by event::text)
            from warehouse.timeline_events as event
            where event.activity_id = ledger.activity_id
        )
    )) as digest
from sync.activity_ledger as ledger
left join warehouse.activities as activity on activity.id = ledger.activity_id
left join warehouse.entities as entity on entity.id = activity.entity_id
where ledger.activity_id = any(%(ids)s::uuid[])
