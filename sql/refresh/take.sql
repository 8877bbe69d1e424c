-- Empties the queue and returns the activities that must be computed again. Null: all, because everything is
-- queued, or so many that reading all rows costs no more than finding them one by one.
with taken as (
    delete from sync.refresh_queue returning activity_id, entity_id
),

stale as (
    select activity_id
    from taken
    where activity_id is not null
    union
    -- An array, not a join: by index for a few counterparts, however many PostgreSQL expects to be queued.
    select id
    from warehouse.activities
    where entity_id = any(array(select taken.entity_id from taken where taken.entity_id is not null))
    union
    -- Where the clock alone ended a sharing period since the last refresh. What is erased had ended before.
    select id
    from warehouse.activities
    where expires_at > (select min(refreshed_at) from sync.view_versions)
        and expires_at <= now()
        and values_erased_at is null
)

select
    case
        when not exists (select from taken where num_nonnulls(activity_id, entity_id) = 0)
            -- A fifth of all: a row takes 250 bytes. Nobody knows how many rows there are before statistics are made.
            and (select count(*) from stale) <= greatest(1000, pg_relation_size('warehouse.activities') / 1250)
            then array(select activity_id from stale)
    end
