-- Of the next activities of a table of landing, by id: empties the bodies behind the newest "keep". The rows stay,
-- because they say when each version was received. Returns the last id, null at the end, and how many bodies were
-- emptied.
with following as materialized (
    select activity_id, count(*) as versions
    from {table}
    where activity_id > %(after)s::uuid and activity_id <= %(last)s::uuid
    group by activity_id
    order by activity_id
    limit %(limit)s
),

emptied as (
    update {table} as stored set body = '{{}}'
    from following
    cross join lateral (
        select version.first_seen_at
        from {table} as version
        where version.activity_id = following.activity_id
        order by version.first_seen_at desc
        offset %(keep)s
    ) as older
    where following.versions > %(keep)s
        and stored.activity_id = following.activity_id
        and stored.first_seen_at = older.first_seen_at
        and stored.body <> '{{}}'
    returning stored.activity_id
)

select
    (select activity_id::text from following order by activity_id desc limit 1),
    (select count(*) from emptied)
