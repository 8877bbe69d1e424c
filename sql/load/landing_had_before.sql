-- Details written again though their bytes are stored already (the activity came back, or the mapping
-- changed): they were first received in this form when landing says so.
update warehouse.activities as stored set
    details_fetched_at = (
        select max(newest.first_seen_at)
        from landing.activity_details as newest
        where newest.activity_id = stored.id
    )
where stored.id = any(%(ids)s::uuid[])
