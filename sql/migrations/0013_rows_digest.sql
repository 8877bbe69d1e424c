-- depends: 0012_withheld
-- What the tables hold of each activity and each counterpart is kept as a digest with the ledger, so that a
-- row that somebody changed, removed or added by hand is found. The digests are PostgreSQL's own hashes of
-- named columns: they depend on no setting of a session, and a later column changes none of them. If a
-- later version of PostgreSQL computed other hashes, the next run would heal what is right already.

create view sync.activity_digests as
select held.activity_id, bit_xor(held.digest) as digest
from (
    select
        id as activity_id,
        hash_record_extended(
            row(
                type, type_name, in_out_bound, entity_id, description, status, notification_message,
                time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
                expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at, gone_at,
                values_erased_at
            ),
            1
        ) as digest
    from warehouse.activities
    union all
    select
        activity_id,
        hash_record_extended(row(disposition, position, code, type, category, value::text), 2)
    from warehouse.requirements
    union all
    select
        activity_id,
        hash_record_extended(row(disposition, requirement_position, position, code), 3)
    from warehouse.requirement_items
    union all
    select
        activity_id,
        hash_record_extended(
            row(requirement_position, position, requirement_code, code, type, value::text), 4
        )
    from warehouse.accepted_items
    union all
    select
        activity_id,
        hash_record_extended(row(position, status, date_time, message, http_request_id), 5)
    from warehouse.timeline_events
) as held
group by held.activity_id;

create view sync.entity_digests as
select held.entity_id, bit_xor(held.digest) as digest
from (
    select
        id as entity_id,
        hash_record_extended(
            row(
                name, cifcode, type, avatar, score, scoring_level, unregistered, created_at,
                digest, observed_at
            ),
            1
        ) as digest
    from warehouse.entities
    union all
    select entity_id, hash_record_extended(row(position, media, url), 2)
    from warehouse.entity_social_media
    union all
    select entity_id, hash_record_extended(row(observed_at, score, scoring_level), 3)
    from warehouse.entity_scores
) as held
group by held.entity_id;

-- 0: nothing was written of it. A check, since temporary copies of the table would keep a `not null`: the
-- load stages rows without this column.
alter table sync.activity_ledger
    add column rows_digest bigint default 0 check (rows_digest is not null);
update sync.activity_ledger as ledger set rows_digest = held.digest
from sync.activity_digests as held
where held.activity_id = ledger.activity_id;

create table sync.entity_ledger (
    entity_id uuid primary key,
    rows_digest bigint not null
);
insert into sync.entity_ledger (entity_id, rows_digest)
select entity_id, digest
from sync.entity_digests;

create function sync.altered_activities(altered_day date) returns setof uuid
language sql
stable
as $$
    select ledger.activity_id
    from sync.activity_ledger as ledger
    left join sync.activity_digests as held
        on held.activity_id = ledger.activity_id
        -- As an array, the ids reach the indexes of all tables.
        and held.activity_id = any(
            array(
                select this_day.activity_id
                from sync.activity_ledger as this_day
                where this_day.day = altered_day
            )
        )
    where ledger.day = altered_day and ledger.rows_digest is distinct from held.digest
$$;

create or replace function sync.count_day(
    counted_day date, out stored bigint, out quarantined bigint, out gone bigint
)
language sql
stable
as $$
    select
        count(*) filter (
            where ledger.gone_at is null
                and ledger.unlisted_at is null
                and ledger.details_fingerprint = ledger.fingerprint
                and ledger.activity_id not in (select sync.altered_activities(counted_day))
                and not exists (
                    select from sync.quarantine as entry
                    where entry.subject = ledger.activity_id::text and entry.resolved_at is null
                )
        ),
        (
            select count(distinct entry.subject)
            from sync.quarantine as entry
            where entry.day = counted_day
                and entry.resolved_at is null
                and not exists (
                    select from sync.activity_ledger as left_out
                    where left_out.activity_id::text = entry.subject
                        and left_out.day = counted_day
                        and left_out.unlisted_at is not null
                )
        ),
        count(*) filter (where ledger.gone_at is not null)
    from sync.activity_ledger as ledger
    where ledger.day = counted_day
$$;

alter table sync.runs add column healed bigint not null default 0;
