-- A fair sample of what the warehouse holds with details: each activity has the same chance. They stand in
-- the order of strata (offered or not, final or not, age, how long the list has said the same), at random
-- within each, and every so many places one is taken, from a random start. So each stratum has its share
-- of the sample. What is in quarantine is left out: it is named there. So is what was erased: it differs
-- from the answers on purpose.
with size as (
    select
        reltuples as rows,
        pg_relation_size(oid) / current_setting('block_size')::integer as pages,
        -- No fewer than one page can have: a row and its pointer take 28 bytes at least.
        current_setting('block_size')::integer / 28 as places,
        5 * %(sample)s as enough,
        reltuples > 10 * %(sample)s as large
    from pg_class
    where oid = 'sync.activity_ledger'::regclass
),

-- To read and sort a million takes seconds. Of a large ledger, places are drawn: each one of each page has the
-- same chance, and so has each activity; most places are empty.
drawn as (
    select * from sync.activity_ledger
    where not (select size.large from size)
    union all
    select * from sync.activity_ledger
    where
        ctid = any(
            array(
                select distinct format('(%%s,%%s)', floor(random() * size.pages), ceil(random() * size.places))::tid
                from size
                cross join generate_series(1, (size.enough * size.places * size.pages / nullif(size.rows, 0))::integer)
                where size.large
            )
        )
),

stored as (
    select
        ledger.activity_id,
        ledger.day,
        -- Of what is refused the tables say so.
        case when num_nonnulls(ledger.gone_at, ledger.withheld_at) > 0 then 'refused' else 'sampled' end as reason,
        row_number() over (
            order by
                ledger.gone_at is null,
                ledger.unlisted_at is null,
                ledger.final,
                width_bucket(current_date - ledger.day, array[7, 30, 90, 365]),
                width_bucket(current_date - ledger.listed_at::date, array[7, 30, 90]),
                random()
        ) - 1 as place,
        %(sample)s::float8 / count(*) over () as chance
    from drawn as ledger
    where ledger.details is not null
        and not exists (
            select from sync.quarantine as entry
            where entry.subject = ledger.activity_id::text and entry.resolved_at is null
        )
        -- For each by itself: a join would read all activities.
        and (select values_erased_at from warehouse.activities where id = ledger.activity_id) is null
),

start as materialized (
    select random() as at
)

select stored.activity_id::text, stored.day, stored.reason
from stored
cross join start
where floor((stored.place + 1) * stored.chance + start.at) > floor(stored.place * stored.chance + start.at)
