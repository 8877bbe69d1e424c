-- Made-up activities in bulk, each drawn from a hash of its number: the same numbers, the same rows.
-- The parts run in this order, those of one step side by side; {n} activities, ending at {until}.
-- Of the landed responses, every tenth activity's is there.

-- step 1: entities
insert into warehouse.entities (
    id, name, cifcode, type, avatar, score, scoring_level, unregistered, created_at, digest, observed_at
)
select
    md5('entity' || n)::uuid,
    'Member ' || n,
    md5('profile' || n)::uuid,
    case when n % 8 = 0 then 'BUSINESS' else 'INDIVIDUAL' end,
    null,
    300 + n % 551,
    case when n % 551 < 200 then 'POOR' when n % 551 < 350 then 'FAIR' else 'GOOD' end,
    n % 50 = 0,
    timestamptz {until} - interval '4 years',
    decode(md5(n::text), 'hex'),
    timestamptz {until}
from generate_series(0, {n} / 10) as n;

-- step 1: activities
insert into warehouse.activities (
    id, type, type_name, in_out_bound, entity_id, description, status, notification_message,
    time_zone, valid_until, attended_at, completed_at, expires_at, created_at, updated_at,
    expires_in_time_unit, expires_in_amount, first_seen_at, details_fetched_at
)
with drawn as (
    select
        n,
        hashint8extended(n, 1) & 9223372036854775807 as dice,
        timestamptz {until} - (({n} - n) * (interval '3 years' / {n})) as created_at
    from generate_series(1, {n}) as n
),

decided as (
    select
        drawn.*,
        (array['AT_001', 'AT_004', 'AT_001', 'AT_004', 'AT_002', 'AT_003'])[1 + dice % 6] as type,
        case when dice / 6 % 10 < 4 then 'IN' else 'OUT' end as in_out_bound,
        created_at + (array[1, 12, 24, 48, 72, 120, 168, 360])[1 + dice / 60 % 8]
        * interval '1 hour' as valid_until,
        dice / 480 % 100 as answer,
        power(dice / 48000 % 1000 / 1000.0, 3) as patience,
        dice / 48000000 % 100 as luck,
        (array[1, 3, 7, 15, 30, 30, 90, 365])[1 + dice / 4800000000 % 8] as days
    from drawn
),

answered as (
    select
        decided.*,
        case when answer >= 22 then created_at + (valid_until - created_at) * patience end as attended_at
    from decided
),

shared as (
    select
        answered.*,
        case when answer >= 36 then attended_at + days * interval '1 day' end as expires_at,
        case
            when answer >= 36 and luck < 55
                then attended_at + least(days, 9) * (luck + 1) / 100.0 * interval '1 day'
        end as completed_at
    from answered
)

select
    md5(n::text)::uuid,
    type,
    type,
    in_out_bound,
    md5('entity' || (power(luck / 100.0 + patience / 100, 2) * ({n} / 10) / 1.05)::bigint)::uuid,
    'Made up',
    case
        when attended_at is null and valid_until < {until} then 'CANCELED'
        when attended_at is null or attended_at > {until}
            then case in_out_bound when 'IN' then 'ACTION_REQUIRED' else 'SENT' end
        when answer < 36 then 'DECLINED'
        when expires_at < {until} then 'EXPIRED'
        when completed_at < {until} then 'COMPLETED'
        else 'ACCEPTED'
    end,
    null,
    'America/Lima',
    valid_until,
    case when attended_at < {until} then attended_at end,
    case when completed_at < {until} then completed_at end,
    case when attended_at < {until} then expires_at end,
    created_at,
    created_at,
    'DAYS',
    days,
    created_at,
    created_at
from shared;

-- step 2: activity_ledger
insert into sync.activity_ledger (
    activity_id, day, listed, listed_at, settled, details, mapping_version, checked_at, service_time,
    final, deadline_at
)
select
    id,
    (created_at at time zone 'America/Lima')::date,
    uuid_send(id),
    created_at,
    uuid_send(id),
    uuid_send(id),
    {mapping},
    {until},
    timestamptz {until} - (hashtext(id::text) & 7) * interval '1 day',
    status in ('COMPLETED', 'DECLINED', 'CANCELED', 'EXPIRED'),
    case
        when status in ('SENT', 'ACTION_REQUIRED') then valid_until
        when status in ('ACCEPTED', 'COMPLETED') then expires_at
    end
from warehouse.activities;

-- step 2: requirements
insert into warehouse.requirements (activity_id, disposition, position, code, type, category, value)
select
    activity.id,
    answer.disposition,
    asked.position,
    asked.code,
    case when answer.disposition = 'accepted' then 'RTP_002' end,
    case when answer.disposition = 'accepted' then 'RQC_001' end,
    case when answer.disposition = 'accepted' then '{{"held": true}}'::jsonb end
from warehouse.activities as activity
cross join lateral (
    select position, 'RQ_00' || 1 + (hashtext(activity.id::text) & 1023) * (position + 3) % 7 as code
    from generate_series(0, hashtext(activity.id::text) & 1) as position
) as asked
cross join lateral (
    select 'requested' as disposition
    union all
    select case when activity.status = 'DECLINED' or asked.position = 1 then 'declined' else 'accepted' end
    where activity.attended_at is not null
) as answer;

-- step 2: timeline_events
insert into warehouse.timeline_events (activity_id, position, status, date_time, message, http_request_id)
select
    id,
    row_number() over (partition by id order by at) - 1,
    entered,
    at,
    'Made up',
    id::text
from (
    select
        activity.id,
        case activity.in_out_bound when 'IN' then 'ACTION_REQUIRED' else 'SENT' end as entered,
        activity.created_at as at
    from warehouse.activities as activity
    union all
    select id, case status when 'DECLINED' then 'DECLINED' else 'ACCEPTED' end, attended_at
    from warehouse.activities
    where attended_at is not null
    union all
    select id, 'COMPLETED', completed_at
    from warehouse.activities
    where completed_at is not null
    union all
    select id, status, case status when 'CANCELED' then valid_until else expires_at end
    from warehouse.activities
    where status in ('CANCELED', 'EXPIRED')
) as events;

-- step 2: entity_scores
insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
select id, observed_at, score, scoring_level from warehouse.entities;

-- step 2: activity_details
insert into landing.activity_details (activity_id, first_seen_at, last_seen_at, digest, body)
select id, created_at, {until}, uuid_send(id), convert_to('{{"id":"' || id || '"}}', 'UTF8')
from warehouse.activities
where hashtext(id::text) % 10 = 0;

-- step 2: activity_list_rows
insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)
select id, created_at, uuid_send(id), convert_to('{{"id":"' || id || '"}}', 'UTF8')
from warehouse.activities
where hashtext(id::text) % 10 = 0;

-- step 3: requirement_items
insert into warehouse.requirement_items (activity_id, disposition, requirement_position, position, code)
select activity_id, disposition, position, 0, 'IDT_002'
from warehouse.requirements
where disposition in ('requested', 'declined') and code in ('RQ_002', 'RQ_004', 'RQ_006');

-- step 3: accepted_items
insert into warehouse.accepted_items (
    activity_id, requirement_position, position, requirement_code, code, type, value
)
select activity_id, position, 0, code, 'IDT_002', 'RTP_002', '{{"held": true}}'
from warehouse.requirements
where disposition = 'accepted' and code in ('RQ_002', 'RQ_004', 'RQ_006');

-- step 3: days
insert into sync.days (day, listed, proven_at)
select day, count(*), {until}
from sync.activity_ledger
group by day;
