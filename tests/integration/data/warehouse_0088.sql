-- A warehouse as 3685047, the last version before 1.0, left it (schema 0088): made-up data of four days, with one activity
-- gone, one in quarantine, one person erased, requests under way. Made by pg_dump --no-owner --no-privileges
-- --no-comments --inserts. Used by test_adoption.py.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
CREATE SCHEMA analytics;
CREATE SCHEMA landing;
CREATE SCHEMA sync;
CREATE SCHEMA warehouse;
CREATE TYPE analytics.known_activity AS (
	id uuid,
	source text,
	known_from timestamp with time zone,
	known_to timestamp with time zone,
	type text,
	in_out_bound text,
	entity_id uuid,
	status text,
	time_zone text,
	valid_until timestamp with time zone,
	attended_at timestamp with time zone,
	completed_at timestamp with time zone,
	expires_at timestamp with time zone,
	created_at timestamp with time zone,
	updated_at timestamp with time zone,
	expires_in_time_unit text,
	expires_in_amount numeric,
	gone boolean
);
CREATE FUNCTION analytics.activity_as_of(at timestamp with time zone) RETURNS SETOF analytics.known_activity
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
                select known.*, coalesce(gone.change = 'gone', false)
                from (
                    -- Details that came by then and are the newest: the tables hold them.
                    select
                        id as activity_id, 'details' as source, details_fetched_at as known_from,
                        null::timestamptz as known_to, type, in_out_bound, entity_id, status, time_zone, valid_until,
                        attended_at, completed_at, expires_at, created_at, updated_at, expires_in_time_unit,
                        expires_in_amount
                    from warehouse.activities
                    where details_fetched_at <= at 
                    union all
                    select version.*
                    from (
                        -- Any details come before a row of the list.
                        select distinct on (activity_id) activity_id, source, first_seen_at
                        from (
                            select activity_id, 'details' as source, first_seen_at
                            from landing.activity_details
                            union all
                            select activity_id, 'list', first_seen_at
                            from landing.activity_list_rows
                        ) as received
                        where first_seen_at <= at 
                            and not exists (
                                select from warehouse.activities as stored
                                where stored.id = received.activity_id and stored.details_fetched_at <= at
                            )
                        order by activity_id, source, first_seen_at desc
                    ) as newest
                    cross join lateral (
                        select each.*
                        from landing.activity_versions as each
                        where each.activity_id = newest.activity_id
                            and each.source = newest.source
                            and each.known_from = newest.first_seen_at
                        -- Of other versions nothing is parsed.
                        offset 0
                    ) as version
                ) as known
                left join (
                    select distinct on (activity_id) activity_id, change
                    from sync.run_changes
                    where change in ('gone', 'returned') and recorded_at <= at 
                    order by activity_id, recorded_at desc
                ) as gone on gone.activity_id = known.activity_id::text
            $$;
CREATE FUNCTION analytics.activity_as_of(at timestamp with time zone, activity uuid) RETURNS SETOF analytics.known_activity
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
                select known.*, coalesce(gone.change = 'gone', false)
                from (
                    -- Details that came by then and are the newest: the tables hold them.
                    select
                        id as activity_id, 'details' as source, details_fetched_at as known_from,
                        null::timestamptz as known_to, type, in_out_bound, entity_id, status, time_zone, valid_until,
                        attended_at, completed_at, expires_at, created_at, updated_at, expires_in_time_unit,
                        expires_in_amount
                    from warehouse.activities
                    where details_fetched_at <= at and id = activity
                    union all
                    select version.*
                    from (
                        -- Any details come before a row of the list.
                        select distinct on (activity_id) activity_id, source, first_seen_at
                        from (
                            select activity_id, 'details' as source, first_seen_at
                            from landing.activity_details
                            union all
                            select activity_id, 'list', first_seen_at
                            from landing.activity_list_rows
                        ) as received
                        where first_seen_at <= at and activity_id = activity
                            and not exists (
                                select from warehouse.activities as stored
                                where stored.id = received.activity_id and stored.details_fetched_at <= at
                            )
                        order by activity_id, source, first_seen_at desc
                    ) as newest
                    cross join lateral (
                        select each.*
                        from landing.activity_versions as each
                        where each.activity_id = newest.activity_id
                            and each.source = newest.source
                            and each.known_from = newest.first_seen_at
                        -- Of other versions nothing is parsed.
                        offset 0
                    ) as version
                ) as known
                left join (
                    select distinct on (activity_id) activity_id, change
                    from sync.run_changes
                    where change in ('gone', 'returned') and recorded_at <= at and activity_id = activity::text
                    order by activity_id, recorded_at desc
                ) as gone on gone.activity_id = known.activity_id::text
            $$;
CREATE TABLE analytics.activities (
    activity_id uuid NOT NULL,
    created_day date,
    created_week date,
    created_month date,
    created_hour integer,
    activity_type text,
    activity_type_label text,
    activity_type_name text,
    in_out_bound text,
    direction text,
    entity_id uuid,
    status text,
    status_label text,
    final boolean,
    outcome text,
    answered_by text,
    waiting_for text,
    answered_at timestamp with time zone,
    answered_day date,
    answered_week date,
    answered_month date,
    answered_hour integer,
    hours_to_answer double precision,
    completed boolean,
    completed_at timestamp with time zone,
    completed_day date,
    hours_to_completion double precision,
    shared boolean,
    shared_from timestamp with time zone,
    sharing_ends_at timestamp with time zone,
    sharing_ended boolean,
    sharing_ended_by text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    valid_until timestamp with time zone,
    expires_at timestamp with time zone,
    expires_in_time_unit text,
    expires_in_amount numeric,
    time_zone text,
    first_seen_at timestamp with time zone,
    details_fetched_at timestamp with time zone,
    gone_at timestamp with time zone,
    values_erased_at timestamp with time zone,
    personal_erased_at timestamp with time zone,
    sharing_ends_day date
);
CREATE TABLE analytics.items (
    activity_id uuid NOT NULL,
    requirement_number integer NOT NULL,
    item_number integer NOT NULL,
    requirement_code text,
    requirement_label text,
    item_code text,
    item_label text,
    item_type text,
    entity_id uuid,
    activity_type text,
    in_out_bound text,
    direction text,
    created_day date,
    created_month date,
    asked boolean,
    accepted boolean,
    outcome text,
    answered_by text,
    answered_at timestamp with time zone,
    answered_day date,
    readable_from timestamp with time zone,
    readable_until timestamp with time zone,
    ended_by text,
    has_value boolean,
    listed_in text,
    requirement_position integer,
    item_position integer,
    accepted_position integer,
    accepted_item integer,
    is_latest boolean
);
CREATE TABLE analytics.requirements (
    activity_id uuid NOT NULL,
    requirement_number integer NOT NULL,
    requirement_code text,
    requirement_label text,
    requirement_type text,
    category text,
    entity_id uuid,
    activity_type text,
    in_out_bound text,
    direction text,
    created_day date,
    created_month date,
    asked boolean,
    accepted boolean,
    outcome text,
    answered_by text,
    answered_at timestamp with time zone,
    answered_day date,
    readable_from timestamp with time zone,
    readable_until timestamp with time zone,
    ended_by text,
    has_value boolean,
    listed_in text,
    requirement_position integer,
    accepted_position integer,
    declined_position integer,
    is_latest boolean
);
CREATE VIEW analytics.consents AS
 SELECT answer.activity_id,
    answer.listed_in,
    answer.requirement_position,
    answer.item_position,
    activity.entity_id,
    activity.direction,
    answer.requirement_code AS code,
    answer.item_code,
        CASE
            WHEN answer.asked THEN activity.created_at
            ELSE NULL::timestamp with time zone
        END AS asked_at,
    answer.answered_at AS decided_at,
    answer.outcome AS decision,
    answer.readable_from AS valid_from,
        CASE
            WHEN (answer.ended_by IS NOT NULL) THEN GREATEST(answer.readable_from, LEAST(answer.readable_until, now()))
            WHEN (answer.readable_until < '9999-12-31 00:00:00+00'::timestamp with time zone) THEN answer.readable_until
            ELSE NULL::timestamp with time zone
        END AS valid_to,
    ((answer.ended_by IS NULL) AND COALESCE((answer.readable_until > now()), false)) AS readable_now,
        CASE
            WHEN (answer.readable_from IS NULL) THEN answer.outcome
            WHEN (answer.ended_by IS NOT NULL) THEN answer.ended_by
            WHEN (answer.readable_until <= now()) THEN 'expired'::text
            ELSE NULL::text
        END AS why_not,
    activity.activity_type,
    activity.in_out_bound,
    activity.status,
    activity.created_day,
    activity.expires_at,
    answer.requirement_type,
    answer.category,
    answer.is_item,
    answer.accepted_position,
    answer.accepted_item,
    answer.has_value,
    answer.is_latest
   FROM (( SELECT answer_1.activity_id,
            answer_1.listed_in,
            answer_1.requirement_position,
            NULL::integer AS item_position,
            answer_1.requirement_code,
            NULL::text AS item_code,
            answer_1.asked,
            answer_1.answered_at,
            answer_1.outcome,
            answer_1.readable_from,
            answer_1.readable_until,
            answer_1.ended_by,
            answer_1.requirement_type,
            answer_1.category,
            false AS is_item,
            answer_1.accepted_position,
            NULL::integer AS accepted_item,
            answer_1.has_value,
            answer_1.is_latest
           FROM analytics.requirements answer_1
        UNION ALL
         SELECT answer_1.activity_id,
            answer_1.listed_in,
            answer_1.requirement_position,
            answer_1.item_position,
            answer_1.requirement_code,
            answer_1.item_code,
            answer_1.asked,
            answer_1.answered_at,
            answer_1.outcome,
            answer_1.readable_from,
            answer_1.readable_until,
            answer_1.ended_by,
            answer_1.item_type,
            NULL::text AS category,
            true AS is_item,
            answer_1.accepted_position,
            answer_1.accepted_item,
            answer_1.has_value,
            answer_1.is_latest
           FROM analytics.items answer_1) answer
     LEFT JOIN analytics.activities activity ON ((activity.activity_id = answer.activity_id)));
CREATE FUNCTION analytics.consents_on(at timestamp with time zone) RETURNS SETOF analytics.consents
    LANGUAGE sql STABLE
    AS $$
    select *
    from analytics.consents
    where valid_from <= at and at < coalesce(valid_to, 'infinity')
$$;
CREATE FUNCTION analytics.may_see_personal() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
    select exists (
        select from pg_roles as role
        where role.rolname = 'analyst_personal' and pg_has_role(current_user, role.oid, 'member')
    ) or exists (
        select from pg_namespace as schema
        where schema.nspname = 'warehouse' and pg_has_role(current_user, schema.nspowner, 'member')
    )
$$;
CREATE FUNCTION landing.read_instant(value jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    micros numeric;
begin
    if jsonb_typeof(value) = 'number' then
        micros := round(value::numeric * 1000);
    elsif jsonb_typeof(value) = 'string' then
        micros := round(trim(value #>> '{}')::numeric * 1000);
    elsif jsonb_typeof(value) = 'object' then
        select round(max(field.value::numeric) * 1000)
        into micros
        from jsonb_each(value) as field
        where jsonb_typeof(field.value) = 'number';
    end if;
    return (
        timestamp '1970-01-01'
        + floor(micros / 86400000000) * interval '1 day'
        + mod(mod(micros, 86400000000) + 86400000000, 86400000000) * interval '1 microsecond'
    ) at time zone 'UTC';
end
$$;
CREATE FUNCTION landing.read_json(body bytea) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$
begin
    return convert_from(body, 'UTF8')::jsonb;
exception when others then
    begin
        -- What jsonb can't hold (NUL, surrogates) occurs in free texts only, which nobody reads here.
        return regexp_replace(
            convert_from(body, 'LATIN1'), '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '?', 'g'
        )::jsonb;
    exception when others then
        return null;
    end;
end
$$;
CREATE FUNCTION sync.coverage_of(first date, last date) RETURNS TABLE(day date, listed bigint, stored bigint, quarantined bigint, gone bigint, verified_at timestamp with time zone, incomplete text, run_id text, accepted bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
    with held as (
        select subject::uuid as activity_id, bool_and(accepted_at is not null) as accepted
        from sync.quarantine
        -- What has no id that can be read goes by a digest, which is shorter.
        where resolved_at is null and length(subject) = 36
        group by subject
    ),

    known as (
        select
            ledger.day,
            count(*) filter (
                where offered and settled = listed and not altered and not_yet_at is null and not in_quarantine
            ) as stored,
            count(*) filter (where offered and in_quarantine) as quarantined,
            count(*) filter (
                where offered and activity_id in (select held.activity_id from held where held.accepted)
            ) as accepted,
            count(*) filter (where gone_at is not null) as gone,
            count(*) filter (where gone_at is null and not offered) as missing,
            count(*) filter (where gone_at is null and finished) as finished,
            count(*) filter (where offered and altered and not in_quarantine) as altered,
            count(*) filter (where offered and not_yet_at is not null and not in_quarantine) as not_yet,
            count(*) filter (
                where offered and settled is distinct from listed and not_yet_at is null and not in_quarantine
            ) as waiting
        from (
            select
                *,
                gone_at is null and (unlisted_at is null or finished) as offered,
                activity_id in (select held.activity_id from held) as in_quarantine
            from (
                -- The list need not have what is finished, if its details still come.
                select *, coalesce(final and checked_at > unlisted_at, false) as finished
                from sync.activity_ledger
                where day between first and last
            ) as each
        ) as ledger
        group by ledger.day
    ),

    -- Rows of the list without an id that can be read.
    nameless as (
        select
            entry.day,
            count(distinct entry.subject) as rows,
            count(distinct entry.subject) filter (where entry.accepted_at is not null) as accepted
        from sync.quarantine as entry
        where entry.resolved_at is null
            and entry.day between first and last
            and not exists (
                select from sync.activity_ledger as ledger where ledger.activity_id::text = entry.subject
            )
        group by entry.day
    ),

    counted as (
        select
            walked.day,
            -- What can't be read yet is as good as not listed yet.
            walked.listed - coalesce(known.not_yet, 0) + coalesce(known.finished, 0) as listed,
            coalesce(known.stored, 0) as stored,
            coalesce(known.quarantined, 0) + coalesce(nameless.rows, 0) as quarantined,
            coalesce(known.accepted, 0) + coalesce(nameless.accepted, 0) as accepted,
            coalesce(known.gone, 0) as gone,
            walked.proven_at,
            walked.unproven,
            walked.run_id,
            known.missing,
            known.altered,
            known.waiting
        from sync.days as walked
        left join known on known.day = walked.day
        left join nameless on nameless.day = walked.day
        where walked.day between first and last
    )

    select
        day, listed, stored, quarantined, gone, proven_at,
        case
            when unproven is not null then unproven
            when proven_at is null then 'the list was never read to its end'
            when altered > 0 then format('%s activities were changed by hand', altered)
            when missing > 0
                then format(
                    '%s stored activities are not listed, although the service does not say that they are gone',
                    missing
                )
            when waiting > 0 then format('%s activities wait for their details', waiting)
            when listed <> stored + quarantined
                then format('%s listed, %s stored, %s in quarantine', listed, stored, quarantined)
        end,
        run_id,
        accepted
    from counted
$$;
CREATE FUNCTION sync.fresh_activities(ids uuid[]) RETURNS SETOF analytics.activities
    LANGUAGE sql STABLE
    AS $$
    with known as (
        select
            activity.*,
            activity.created_at at time zone calendar.time_zone as created_local,
            activity.attended_at at time zone calendar.time_zone as answered_local,
            (activity.completed_at at time zone calendar.time_zone)::date as completed_day,
            calendar.time_zone as zone,
            type.giver,
            type.label as type_label,
            status.label as status_label,
            coalesce(status.final, false) as final,
            case
                when type.giver = 'both' then 'both ways'
                when (type.giver, activity.in_out_bound) in (('receiver', 'OUT'), ('sender', 'IN')) then 'to us'
                when (type.giver, activity.in_out_bound) in (('receiver', 'IN'), ('sender', 'OUT')) then 'from us'
            end as direction,
            case
                -- Nobody can answer what the service no longer offers.
                when status.stage = 'pending' and activity.gone_at is not null then null
                when status.stage is distinct from 'canceled' then status.stage
                -- What was answered and canceled later counts as answered.
                when given.there then 'accepted'
                else coalesce(
                    (
                        select min(past.stage) -- 'accepted' comes before 'declined'
                        from warehouse.timeline_events as event
                        inner join analytics.codes as past
                            on past.kind = 'status' and past.code = event.status
                        where event.activity_id = activity.id and past.stage in ('accepted', 'declined')
                    ),
                    case when activity.attended_at is not null then 'declined' end,
                    status.stage
                )
            end as stage,
            given.there as has_given,
            -- A share has no approval step: it is shared as soon as it is created.
            coalesce(activity.attended_at, activity.created_at, activity.first_seen_at) as shared_from,
            case
                when status.shares is false then coalesce(
                    (
                        select max(event.date_time)
                        from warehouse.timeline_events as event
                        where event.activity_id = activity.id and event.status = activity.status
                    ),
                    activity.updated_at,
                    activity.details_fetched_at,
                    activity.first_seen_at
                )
            end as ended_at,
            case when entity.unregistered then coalesce(entity.unregistered_at, entity.observed_at) end as unregistered_at
        from warehouse.activities as activity
        cross join sync.calendar
        left join warehouse.entities as entity on entity.id = activity.entity_id
        left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
        left join analytics.codes as type on type.kind = 'activity_type' and type.code = activity.type
        cross join lateral (
            select exists (
                select from warehouse.requirements as accepted
                where accepted.activity_id = activity.id and accepted.disposition = 'accepted'
            ) as there
            offset 0
        ) as given
        where ids is null or activity.id = any(ids)
        -- Each outcome is computed once, not for every column.
        offset 0
    ),

    bounded as (
        select
            known.*,
            -- Nobody accepts a share: it needs no answer. Only a request or a swap does.
            case
                when stage = 'accepted' and attended_at is null and coalesce(giver, 'sender') = 'sender' then 'share'
                else stage
            end as outcome,
            coalesce(known.stage = 'accepted' or known.has_given, false) as shared,
            greatest(shared_from, coalesce(
                least(expires_at, ended_at, gone_at, unregistered_at, values_erased_at), '9999-12-31 00:00+00'
            )) as sharing_ends_at,
            case
                when known.values_erased_at is not null then 'erased'
                when known.unregistered_at is not null then 'unregistered'
                when known.gone_at is not null then 'gone'
                when known.ended_at is not null then 'ended'
            end as ended_by
        from known
    )

    select
        id,
        created_local::date,
        date_trunc('week', created_local)::date,
        date_trunc('month', created_local)::date,
        extract(hour from created_local)::integer,
        type,
        type_label,
        type_name,
        in_out_bound,
        direction,
        entity_id,
        status,
        status_label,
        final,
        outcome,
        case
            when attended_at is null and coalesce(outcome not in ('accepted', 'declined'), true) then null
            when in_out_bound = 'IN' then 'us'
            when in_out_bound = 'OUT' then 'them'
        end,
        case
            when outcome is distinct from 'pending' then null
            when in_out_bound = 'IN' then 'us'
            when in_out_bound = 'OUT' then 'them'
        end,
        attended_at,
        answered_local::date,
        date_trunc('week', answered_local)::date,
        date_trunc('month', answered_local)::date,
        extract(hour from answered_local)::integer,
        extract(epoch from attended_at - created_at)::double precision / 3600,
        coalesce(stage = 'accepted' and (status = 'COMPLETED' or completed_at is not null), false),
        completed_at,
        completed_day,
        extract(epoch from completed_at - created_at)::double precision / 3600,
        shared,
        case when shared then shared_from end,
        case when shared then sharing_ends_at end,
        coalesce(shared and (ended_by is not null or expires_at <= now()), false),
        case when shared then ended_by end,
        created_at,
        updated_at,
        valid_until,
        expires_at,
        expires_in_time_unit,
        expires_in_amount,
        time_zone,
        first_seen_at,
        details_fetched_at,
        gone_at,
        values_erased_at,
        personal_erased_at,
        case when shared then (sharing_ends_at at time zone zone)::date end
    from bounded
$$;
CREATE FUNCTION sync.fresh_items(ids uuid[]) RETURNS SETOF analytics.items
    LANGUAGE sql STABLE
    AS $$
    with listed as (
        select
            requirement.activity_id, requirement.requirement_number, item.disposition, item.position, item.code,
            null as type, false as has_value
        from warehouse.requirement_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.requirement_position = item.requirement_position
        where item.disposition = 'requested' and requirement.listed_in = 'requested' and (ids is null or item.activity_id = any(ids))
        union all
        select
            requirement.activity_id, requirement.requirement_number, item.disposition, item.position, item.code,
            null, false
        from warehouse.requirement_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.declined_position = item.requirement_position
        where item.disposition = 'declined' and (ids is null or item.activity_id = any(ids))
        union all
        select
            requirement.activity_id, requirement.requirement_number, 'accepted', item.position, item.code,
            item.type, item.value is not null
        from warehouse.accepted_items as item
        inner join analytics.requirements as requirement
            on requirement.activity_id = item.activity_id
            and requirement.accepted_position = item.requirement_position
        where ids is null or item.activity_id = any(ids)
    ),

    numbered as (
        select
            listed.*,
            row_number() over (
                partition by activity_id, requirement_number, disposition, code order by position
            ) as occurrence
        from listed
    ),

    matched as (
        select
            activity_id,
            requirement_number,
            code,
            max(position) filter (where disposition = 'requested') as requested_item,
            max(position) filter (where disposition = 'accepted') as accepted_item,
            max(position) filter (where disposition = 'declined') as declined_item,
            max(type) as type,
            bool_or(has_value) as has_value
        from numbered
        group by activity_id, requirement_number, code, occurrence
    ),

    answers as (
        select
            matched.*,
            row_number() over (
                partition by activity_id, requirement_number order by requested_item, accepted_item, declined_item
            ) - 1 as item_number,
            bool_or(requested_item is not null) over requirement as items_requested,
            bool_or(declined_item is not null) over requirement as items_declined
        from matched
        window requirement as (partition by activity_id, requirement_number)
    )

    select
        answer.activity_id,
        answer.requirement_number,
        answer.item_number::integer,
        requirement.requirement_code,
        requirement.requirement_label,
        answer.code,
        label.label,
        answer.type,
        requirement.entity_id,
        requirement.activity_type,
        requirement.in_out_bound,
        requirement.direction,
        requirement.created_day,
        requirement.created_month,
        -- A requirement that is requested without naming items asks for all of them.
        requirement.asked and (answer.requested_item is not null or not answer.items_requested),
        answer.accepted_item is not null,
        decided.outcome,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_by end,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_at end,
        case when decided.outcome in ('accepted', 'declined') then activity.answered_day end,
        case when answer.accepted_item is not null then requirement.readable_from end,
        case when answer.accepted_item is not null then requirement.readable_until end,
        case when answer.accepted_item is not null then requirement.ended_by end,
        answer.has_value,
        place.listed_in,
        case place.listed_in
            when 'requested' then requirement.requirement_position
            when 'accepted' then requirement.accepted_position
            else requirement.declined_position
        end,
        coalesce(answer.requested_item, answer.accepted_item, answer.declined_item),
        case when answer.accepted_item is not null then requirement.accepted_position end,
        answer.accepted_item,
        case
            when answer.accepted_item is null then null
            when num_nulls(requirement.entity_id, requirement.requirement_code, answer.code) > 0 then true
            when ids is not null then coalesce(stored.is_latest, true)
            else rank() over (
                partition by
                    answer.accepted_item is null, requirement.entity_id, requirement.direction,
                    requirement.requirement_code, answer.code
                order by requirement.readable_from desc, answer.activity_id desc
            ) = 1
        end
    from answers as answer
    inner join analytics.requirements as requirement
        on requirement.activity_id = answer.activity_id
        and requirement.requirement_number = answer.requirement_number
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as label on label.kind = 'item' and label.code = answer.code
    left join analytics.items as stored
        on stored.activity_id = answer.activity_id
        and stored.requirement_number = answer.requirement_number
        and stored.item_number = answer.item_number
    cross join lateral (
        select
            case
                when answer.accepted_item is not null and requirement.outcome = 'share' then 'share'
                when answer.accepted_item is not null then 'accepted'
                when answer.declined_item is not null then 'declined'
                -- A requirement that is declined without naming items is declined with all of them.
                when requirement.declined_position is not null and not answer.items_declined then 'declined'
                when activity.outcome in ('pending', 'declined') then activity.outcome
                else 'unanswered'
            end as outcome
    ) as decided
    cross join lateral (
        select
            case
                when answer.requested_item is not null then 'requested'
                when answer.accepted_item is not null then 'accepted'
                else 'declined'
            end as listed_in
    ) as place
$$;
CREATE FUNCTION sync.fresh_requirements(ids uuid[]) RETURNS SETOF analytics.requirements
    LANGUAGE sql STABLE
    AS $$
    with numbered as (
        select
            *,
            row_number() over (partition by activity_id, disposition, code order by position) as occurrence
        from warehouse.requirements
        where ids is null or activity_id = any(ids)
    ),

    matched as (
        select
            activity_id,
            code,
            max(position) filter (where disposition = 'requested') as requested_position,
            max(position) filter (where disposition = 'accepted') as accepted_position,
            max(position) filter (where disposition = 'declined') as declined_position,
            max(type) as type,
            max(category) as category,
            bool_or(value is not null) as has_value
        from numbered
        group by activity_id, code, occurrence
    ),

    answers as (
        select
            matched.*,
            row_number() over (
                partition by activity_id order by requested_position, accepted_position, declined_position
            ) - 1 as requirement_number,
            case
                when accepted_position is null then case when declined_position is not null then 'declined' end
                when declined_position is not null then 'partly'
                -- An item that was asked, and not accepted.
                when exists (
                    select item.code
                    from warehouse.requirement_items as item
                    where item.activity_id = matched.activity_id
                        and item.disposition = 'requested'
                        and item.requirement_position = matched.requested_position
                    except all
                    select item.code
                    from warehouse.accepted_items as item
                    where item.activity_id = matched.activity_id
                        and item.requirement_position = matched.accepted_position
                ) then 'partly'
                else 'accepted'
            end as outcome
        from matched
    )

    select
        answer.activity_id,
        answer.requirement_number::integer,
        answer.code,
        label.label,
        answer.type,
        answer.category,
        activity.entity_id,
        activity.activity_type,
        activity.in_out_bound,
        activity.direction,
        activity.created_day,
        activity.created_month,
        -- What a share lists as requested was not asked: it is what is given.
        answer.requested_position is not null and activity.outcome is distinct from 'share',
        answer.accepted_position is not null,
        decided.outcome,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_by end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_at end,
        case when decided.outcome in ('accepted', 'partly', 'declined') then activity.answered_day end,
        case when answer.accepted_position is not null then activity.shared_from end,
        case when answer.accepted_position is not null then activity.sharing_ends_at end,
        case when answer.accepted_position is not null then activity.sharing_ended_by end,
        answer.has_value,
        case
            when answer.requested_position is not null then 'requested'
            when answer.accepted_position is not null then 'accepted'
            else 'declined'
        end,
        coalesce(answer.requested_position, answer.accepted_position, answer.declined_position),
        answer.accepted_position,
        answer.declined_position,
        case
            when answer.accepted_position is null then null
            -- What has no counterpart or no code is the same as nothing.
            when num_nulls(activity.entity_id, answer.code) > 0 then true
            -- It depends on other activities: the stored mark stays until sql/refresh/latest.sql sets it.
            when ids is not null then coalesce(stored.is_latest, true)
            else rank() over (
                partition by answer.accepted_position is null, activity.entity_id, activity.direction, answer.code
                order by activity.shared_from desc, answer.activity_id desc
            ) = 1
        end
    from answers as answer
    inner join analytics.activities as activity on activity.activity_id = answer.activity_id
    left join analytics.codes as label on label.kind = 'requirement' and label.code = answer.code
    left join analytics.requirements as stored
        on stored.activity_id = answer.activity_id and stored.requirement_number = answer.requirement_number
    cross join lateral (
        select case
            when answer.accepted_position is not null and activity.outcome = 'share' then 'share'
            when answer.outcome is not null then answer.outcome
            when activity.outcome in ('pending', 'declined') then activity.outcome
            else 'unanswered'
        end as outcome
    ) as decided
$$;
CREATE TABLE analytics.status_changes (
    activity_id uuid NOT NULL,
    change_number integer NOT NULL,
    status text,
    status_label text,
    entered_at timestamp with time zone,
    entered_day date,
    left_at timestamp with time zone,
    left_day date,
    next_status text,
    hours double precision,
    created_day date,
    activity_type text,
    in_out_bound text,
    entity_id uuid
);
CREATE FUNCTION sync.fresh_status_changes(ids uuid[]) RETURNS SETOF analytics.status_changes
    LANGUAGE sql STABLE
    AS $$
    with events as (
        select event.activity_id, 0 as place, event.date_time as at, event.position, event.status
        from warehouse.timeline_events as event
        where event.date_time is not null and (ids is null or event.activity_id = any(ids))
        union all
        select
            activity.id,
            1,
            coalesce(
                case when activity.details_fetched_at is not null then activity.updated_at end,
                activity.created_at,
                activity.first_seen_at
            ),
            0,
            activity.status
        from warehouse.activities as activity
        where ids is null or activity.id = any(ids)
        union all
        -- What the service no longer offers is in no status.
        select activity.id, 2, activity.gone_at, 0, null
        from warehouse.activities as activity
        where activity.gone_at is not null and (ids is null or activity.id = any(ids))
    ),

    ours as (
        select
            event.activity_id,
            event.place,
            event.at,
            event.position,
            case
                when event.status = 'SENT' and activity.in_out_bound = 'IN' then 'ACTION_REQUIRED'
                when event.status = 'ACTION_REQUIRED' and activity.in_out_bound = 'OUT' then 'SENT'
                else event.status
            end as status
        from events as event
        inner join warehouse.activities as activity on activity.id = event.activity_id
    ),

    moves as (
        select
            ours.*,
            max(at) over (partition by activity_id order by place, at, position) as entered_at,
            place = 2 or row_number() over life = 1 or status is distinct from lag(status) over life as moved
        from ours
        window life as (partition by activity_id order by place, at, position)
    ),

    numbered as (
        select
            moves.*,
            row_number() over life - 1 as change_number,
            lead(entered_at) over life as left_at,
            lead(status) over life as next_status
        from moves
        where moved
        window life as (partition by activity_id order by place, at, position)
    )

    select
        change.activity_id,
        change.change_number::integer,
        change.status,
        label.label,
        change.entered_at,
        (change.entered_at at time zone calendar.time_zone)::date,
        change.left_at,
        (change.left_at at time zone calendar.time_zone)::date,
        change.next_status,
        extract(epoch from change.left_at - change.entered_at)::double precision / 3600,
        (activity.created_at at time zone calendar.time_zone)::date,
        activity.type,
        activity.in_out_bound,
        activity.entity_id
    from numbered as change
    cross join sync.calendar
    inner join warehouse.activities as activity on activity.id = change.activity_id
    left join analytics.codes as label on label.kind = 'status' and label.code = change.status
    where change.place < 2
$$;
CREATE FUNCTION sync.is_erased_phone(number text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select
        exists (select from sync.erased_phones where digest = sync.phone_digest(number))
        -- Erased as a counterpart, before anybody knew the number.
        or exists (
            select
            from warehouse.authorization_requests as request
            inner join sync.erased_entities as erased on erased.entity_id::text = request.counterpart_id
            where request.phone_number = number
        )
$$;
CREATE FUNCTION sync.keep_ledger() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if tg_op = 'DELETE' then
        insert into sync.activity_ledger (activity_id, day, altered)
        select activity_id, day, true from before
        on conflict (activity_id) do nothing;
    else
        insert into sync.activity_ledger (activity_id, altered)
        select distinct activity_id, true from landing.activity_list_rows
        union
        select distinct activity_id, true from landing.activity_details
        on conflict (activity_id) do nothing;
    end if;
    return null;
end
$$;
CREATE FUNCTION sync.mark_altered() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if tg_op = 'TRUNCATE' then
        update sync.activity_ledger set altered = true where not altered;
    elsif tg_op = 'UPDATE' then
        update sync.activity_ledger set altered = true
        where not altered
            and activity_id in (
                select (to_jsonb(before) ->> tg_argv[0])::uuid from before
                union
                select (to_jsonb(after) ->> tg_argv[0])::uuid from after
            );
    elsif tg_op = 'DELETE' then
        update sync.activity_ledger set altered = true
        where not altered and activity_id in (select (to_jsonb(before) ->> tg_argv[0])::uuid from before);
    else
        update sync.activity_ledger set altered = true
        where not altered and activity_id in (select (to_jsonb(after) ->> tg_argv[0])::uuid from after);
    end if;
    return null;
end
$$;
CREATE FUNCTION sync.mark_altered_entities() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
declare
    ids uuid[];
begin
    -- Its own writes are nobody's. The function can't have the setting: only a superuser may say so.
    perform set_config('sync.loading', 'on', true);
    -- A counterpart without a row can't be marked: the next run looks for all that landing knows.
    if tg_table_name = 'entities' and tg_op in ('DELETE', 'TRUNCATE') then
        insert into sync.service_facts (fact, value, learned_at) values ('counterparts_lost', 'yes', now())
        on conflict (fact) do nothing;
    end if;
    if tg_op = 'TRUNCATE' then
        update warehouse.entities set digest = '' where digest <> '';
        update sync.activity_ledger set altered = true where not altered;
        perform set_config('sync.loading', '', true);
        return null;
    elsif tg_op = 'INSERT' then
        ids := array(select (to_jsonb(after) ->> tg_argv[0])::uuid from after);
    else
        ids := array(select (to_jsonb(before) ->> tg_argv[0])::uuid from before);
    end if;
    -- An empty digest is nobody's: the next observation is news.
    update warehouse.entities set digest = '' where id = any(ids) and digest <> '';
    update sync.activity_ledger set altered = true
    where not altered
        and activity_id in (
            select activity.id from warehouse.activities as activity where activity.entity_id = any(ids)
        );
    perform set_config('sync.loading', '', true);
    return null;
end
$$;
CREATE FUNCTION sync.phone_digest(number text) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$ select sha256(phone_key || convert_to(number, 'UTF8')) from sync.privacy $$;
CREATE FUNCTION sync.queue_activities() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'DELETE' then
        insert into sync.refresh_queue (activity_id) select id from replaced;
    else
        insert into sync.refresh_queue (activity_id) select id from written;
    end if;
    return null;
end
$$;
CREATE FUNCTION sync.queue_entity() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    insert into sync.refresh_queue (entity_id) values (new.id);
    return null;
end
$$;
CREATE FUNCTION sync.queue_everything() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    insert into sync.refresh_queue default values;
    return null;
end
$$;
CREATE FUNCTION sync.todo_of(first date, last date, service_now timestamp with time zone, stale_before timestamp with time zone) RETURNS TABLE(activity_id uuid, day date, reason text)
    LANGUAGE sql STABLE
    AS $$
    with held as (
        select
            subject,
            -- No pause is longer than a week: a later time comes from a wrong clock.
            bool_or(next_attempt_at between now() and now() + interval '7 days') as waits
        from sync.quarantine
        where resolved_at is null and source = 'details'
        group by subject
    )

    select found.activity_id, found.day, found.reason
    from (
        select
            ledger.activity_id,
            ledger.day,
            case
                when ledger.gone_at is not null
                    then case
                        when ledger.unlisted_at is null then 'listed again'
                        when held.subject is not null then 'in quarantine'
                    end
                -- The list need not have what is finished, if its details still come.
                when ledger.unlisted_at is not null and (ledger.final and ledger.checked_at > ledger.unlisted_at) is not true
                    then 'no longer listed'
                when ledger.settled is distinct from ledger.listed
                    then case when ledger.details is null then 'new' else 'changed' end
                when held.subject is not null then 'in quarantine'
                when ledger.deadline_at <= service_now
                    or (not ledger.final and coalesce(ledger.service_time <= stale_before, true))
                    -- It was checked while the service's clock was ahead.
                    or (ledger.withheld_at is null and ledger.service_time > service_now + interval '2 hours')
                    then 'due'
            end as reason,
            held.waits
        from sync.activity_ledger as ledger
        left join held on held.subject = ledger.activity_id::text
        where ledger.day between first and last
    ) as found
    where found.reason is not null
        and (found.waits is not true or found.reason = 'no longer listed')
$$;
CREATE FUNCTION warehouse.guard_authorization_request() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
    erased constant boolean := new.phone_number = '' and new.description = '';
    repeat_days integer;
begin
    if tg_op = 'INSERT' and new.state <> 'queued' then
        raise exception 'an authorization request begins as queued' using errcode = 'check_violation';
    end if;
    if new.state = 'queued' and new.phone_number like '+%'
        and (tg_op = 'INSERT' or new.phone_number <> old.phone_number)
    then
        if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
            raise exception 'authorization requests are not written in a % transaction: it does not see who was asked',
                current_setting('transaction_isolation');
        end if;
        -- Two writers of the same number: the second one waits until the first one's row is visible.
        perform pg_advisory_xact_lock(1635084402);
        select coalesce(max(value::integer), 30) into repeat_days from sync.service_facts where fact = 'repeat_days';
        if repeat_days > 0 and warehouse.was_asked(new.phone_number, repeat_days, new.id) then
            new.state := 'failed';
            new.state_reason := format('this person was asked within %s days', repeat_days);
        end if;
    end if;
    if tg_op = 'INSERT' then
        return new;
    end if;
    if new.state <> old.state and (old.state, new.state) not in (
        ('queued', 'sending'), ('queued', 'linked'), ('queued', 'failed'),
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'rejected'), ('sending', 'unknown'),
        ('sent', 'linked'), ('sent', 'queued'), ('sent', 'failed'),
        ('unknown', 'linked'), ('unknown', 'queued'), ('unknown', 'failed'),
        ('rejected', 'queued'), ('rejected', 'linked'), ('failed', 'queued'), ('failed', 'linked')
    ) and not (
        -- A person takes a decision back: what the call did is open again.
        old.state in ('linked', 'failed') and new.state is not distinct from old.resolved_from
    ) then
        raise exception 'an authorization request does not go from % to %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state in ('sending', 'sent', 'unknown', 'linked')
        and not erased
        and (
            (
                new.description, new.phone_country_code, new.message_reference,
                new.validity_time_unit, new.validity_amount, new.requirements
            ) is distinct from (
                old.description, old.phone_country_code, old.message_reference,
                old.validity_time_unit, old.validity_amount, old.requirements
            )
            -- A number written before numbers were held in E.164 is rewritten once.
            or new.phone_number <> old.phone_number
            and not (old.phone_number not like '+%' and new.phone_number like '+%')
        )
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
end
$$;
CREATE FUNCTION warehouse.keep_authorization_requests() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'an authorization request that may have been sent is not deleted: its person could be asked twice'
        using
            errcode = 'check_violation',
            hint = 'To empty the requests of a person, use `pipeline erase`. To end one that is queued, use `pipeline authorize cancel`.';
end
$$;
CREATE FUNCTION warehouse.keep_score() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
    select written.id, written.observed_at, written.score, written.scoring_level
    from written
    left join lateral (
        select kept.score, kept.scoring_level
        from warehouse.entity_scores as kept
        where kept.entity_id = written.id
        order by kept.observed_at desc
        limit 1
    ) as latest on true
    where (written.score, written.scoring_level)
        is distinct from (latest.score, latest.scoring_level)
    on conflict (entity_id, observed_at) do update set
        score = excluded.score,
        scoring_level = excluded.scoring_level;
    return null;
end
$$;
CREATE FUNCTION warehouse.keep_unregistered_at() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if new.unregistered is not true then
        new.unregistered_at := null;
    elsif tg_op = 'INSERT' then
        new.unregistered_at := new.observed_at;
    else
        new.unregistered_at := coalesce(old.unregistered_at, new.observed_at);
    end if;
    return new;
end
$$;
CREATE FUNCTION warehouse.was_asked(asked_number text, within_days integer, besides uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select
        from warehouse.authorization_requests as request
        where request.phone_number = asked_number
            and request.id is distinct from besides
            -- A call that a person gave up may have asked.
            and (request.state not in ('rejected', 'failed') or request.resolved_from is not null)
            and (
                request.state in ('queued', 'sending')
                or greatest(request.requested_at, request.sent_at) > now() - within_days * interval '1 day'
            )
    )
$$;
CREATE TABLE warehouse.accepted_items (
    activity_id uuid NOT NULL,
    requirement_position integer NOT NULL,
    "position" integer NOT NULL,
    requirement_code text,
    code text,
    type text,
    value jsonb
);
ALTER TABLE ONLY warehouse.accepted_items ALTER COLUMN value SET STATISTICS 0;
CREATE VIEW analytics.accepted_items AS
 SELECT activity_id,
    requirement_position,
    "position",
    requirement_code,
    code,
    type
   FROM warehouse.accepted_items;
CREATE VIEW analytics.activities_by_answered_day AS
 SELECT answered_day,
    answered_week,
    answered_month,
    activity_type,
    activity_type_label,
    answered_by,
    count(*) AS answered,
    count(*) FILTER (WHERE (outcome = 'accepted'::text)) AS accepted,
    count(*) FILTER (WHERE (outcome = 'declined'::text)) AS declined,
    round(avg(((outcome = 'accepted'::text))::integer) FILTER (WHERE (outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))), 4) AS acceptance_rate
   FROM analytics.activities
  WHERE (answered_day IS NOT NULL)
  GROUP BY answered_day, answered_week, answered_month, activity_type, activity_type_label, answered_by;
CREATE VIEW analytics.activities_by_created_day AS
 SELECT created_day,
    created_week,
    created_month,
    activity_type,
    activity_type_label,
    in_out_bound,
    count(*) AS created,
    count(*) FILTER (WHERE (outcome = 'pending'::text)) AS pending,
    count(*) FILTER (WHERE (outcome = 'accepted'::text)) AS accepted,
    count(*) FILTER (WHERE (outcome = 'declined'::text)) AS declined,
    count(*) FILTER (WHERE (outcome = 'canceled'::text)) AS canceled,
    count(*) FILTER (WHERE (outcome = 'share'::text)) AS shares,
    count(*) FILTER (WHERE (outcome IS NULL)) AS other,
    count(*) FILTER (WHERE (outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))) AS answered,
    count(*) FILTER (WHERE completed) AS completed,
    count(*) FILTER (WHERE (sharing_ended AND (outcome = ANY (ARRAY['accepted'::text, 'share'::text])))) AS sharing_ended,
    count(*) FILTER (WHERE (gone_at IS NOT NULL)) AS gone,
    round(avg(((outcome <> 'canceled'::text))::integer) FILTER (WHERE (outcome = ANY (ARRAY['accepted'::text, 'declined'::text, 'canceled'::text]))), 4) AS answer_rate,
    round(avg(((outcome = 'accepted'::text))::integer) FILTER (WHERE (outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))), 4) AS acceptance_rate,
    round(avg((completed)::integer) FILTER (WHERE (outcome = ANY (ARRAY['accepted'::text, 'share'::text]))), 4) AS completion_rate
   FROM analytics.activities
  GROUP BY created_day, created_week, created_month, activity_type, activity_type_label, in_out_bound;
CREATE TABLE sync.service_facts (
    fact text NOT NULL,
    value text NOT NULL,
    learned_at timestamp with time zone NOT NULL,
    previous_value text,
    changed_at timestamp with time zone
);
CREATE VIEW sync.calendar AS
 SELECT time_zone,
    ((now() AT TIME ZONE time_zone))::date AS today,
    start_date
   FROM ( SELECT COALESCE(max(service_facts.value) FILTER (WHERE (service_facts.fact = 'configured_zone'::text)), 'UTC'::text) AS time_zone,
            (max(service_facts.value) FILTER (WHERE (service_facts.fact = 'start_date'::text)))::date AS start_date
           FROM sync.service_facts) fact;
CREATE TABLE sync.days (
    day date CONSTRAINT coverage_day_not_null NOT NULL,
    listed bigint CONSTRAINT coverage_listed_not_null NOT NULL,
    proven_at timestamp with time zone,
    unproven text,
    run_id text
);
CREATE VIEW sync.coverage AS
 SELECT covered.day,
    covered.listed,
    covered.stored,
    covered.quarantined,
    covered.gone,
    covered.verified_at,
    covered.incomplete,
    covered.run_id,
    covered.accepted,
    walked.unproven AS unverified
   FROM (sync.coverage_of('-infinity'::date, 'infinity'::date) covered(day, listed, stored, quarantined, gone, verified_at, incomplete, run_id, accepted)
     JOIN sync.days walked ON ((walked.day = covered.day)));
CREATE VIEW analytics.days AS
 WITH covered AS (
         SELECT coverage.day,
            coverage.listed,
            coverage.stored,
            coverage.quarantined,
            coverage.gone,
            coverage.verified_at,
            coverage.incomplete,
            coverage.run_id,
            coverage.accepted,
            coverage.unverified
           FROM sync.coverage
        ), bounds AS (
         SELECT COALESCE(calendar.start_date, min(covered.day)) AS first_day,
            min(covered.day) AS oldest_day,
            max(covered.day) AS newest_day,
            calendar.today,
            (calendar.start_date IS NOT NULL) AS started
           FROM (sync.calendar
             LEFT JOIN covered ON (true))
          GROUP BY calendar.start_date, calendar.today
        ), every_day AS (
         SELECT (series.day)::date AS day,
            covered.listed,
            covered.stored,
            covered.quarantined,
            covered.gone,
            covered.verified_at,
                CASE
                    WHEN (covered.day IS NOT NULL) THEN covered.incomplete
                    WHEN ((series.day >= bounds.first_day) AND ((series.day < bounds.newest_day) OR (bounds.started AND (series.day < bounds.today)))) THEN 'never asked for'::text
                    ELSE NULL::text
                END AS incomplete,
            ((covered.day IS NOT NULL) AND (covered.incomplete IS NULL)) AS complete,
            (series.day < bounds.today) AS is_over
           FROM ((bounds
             CROSS JOIN LATERAL generate_series((LEAST(bounds.first_day, bounds.oldest_day))::timestamp without time zone, (GREATEST(bounds.newest_day, bounds.today))::timestamp without time zone, '1 day'::interval) series(day))
             LEFT JOIN covered ON ((covered.day = (series.day)::date)))
        )
 SELECT day,
    (date_trunc('week'::text, (day)::timestamp without time zone))::date AS week,
    (date_trunc('month'::text, (day)::timestamp without time zone))::date AS month,
    (EXTRACT(isodow FROM day))::integer AS weekday,
    ((count(*) OVER week_of = 7) AND bool_and((complete AND is_over)) OVER week_of) AS week_is_whole,
    (((count(*) OVER month_of)::numeric = EXTRACT(day FROM (date_trunc('month'::text, (day)::timestamp without time zone) + '1 mon -1 days'::interval))) AND bool_and((complete AND is_over)) OVER month_of) AS month_is_whole,
    complete,
    incomplete,
    COALESCE(listed, (0)::bigint) AS listed,
    COALESCE(stored, (0)::bigint) AS stored,
    COALESCE(quarantined, (0)::bigint) AS quarantined,
    COALESCE(gone, (0)::bigint) AS gone,
    verified_at
   FROM every_day
  WINDOW week_of AS (PARTITION BY (date_trunc('week'::text, (day)::timestamp without time zone))), month_of AS (PARTITION BY (date_trunc('month'::text, (day)::timestamp without time zone)));
CREATE VIEW analytics.activities_by_month AS
 SELECT activity.created_month,
    COALESCE(whole.month_is_whole, false) AS month_is_whole,
    activity.activity_type,
    activity.activity_type_label,
    activity.in_out_bound,
    count(*) AS created,
    count(*) FILTER (WHERE (activity.outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))) AS answered,
    count(*) FILTER (WHERE (activity.outcome = 'accepted'::text)) AS accepted,
    count(*) FILTER (WHERE (activity.outcome = 'declined'::text)) AS declined,
    count(*) FILTER (WHERE (activity.outcome = 'canceled'::text)) AS canceled,
    round(avg(((activity.outcome = 'accepted'::text))::integer) FILTER (WHERE (activity.outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))), 4) AS acceptance_rate,
    percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_answer) AS hours_to_answer_p50,
    percentile_cont((0.9)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_answer) AS hours_to_answer_p90,
    percentile_cont((0.95)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_answer) AS hours_to_answer_p95,
    count(*) FILTER (WHERE activity.completed) AS completed,
    percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_completion) AS hours_to_completion_p50,
    percentile_cont((0.9)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_completion) AS hours_to_completion_p90,
    percentile_cont((0.95)::double precision) WITHIN GROUP (ORDER BY activity.hours_to_completion) AS hours_to_completion_p95
   FROM (analytics.activities activity
     LEFT JOIN ( SELECT DISTINCT days.month,
            days.month_is_whole
           FROM analytics.days) whole ON ((whole.month = activity.created_month)))
  GROUP BY activity.created_month, COALESCE(whole.month_is_whole, false), activity.activity_type, activity.activity_type_label, activity.in_out_bound;
CREATE VIEW analytics.activity_funnel AS
 SELECT created_day AS day,
    activity_type AS type,
    activity_type_label AS type_label,
    in_out_bound,
    created,
    pending,
    (accepted + shares) AS accepted,
    declined,
    canceled,
    other,
    completed,
    sharing_ended AS expired,
    gone,
    round(((((accepted + shares) + declined))::numeric / (NULLIF((((accepted + shares) + declined) + canceled), 0))::numeric), 4) AS answer_rate,
    round((((accepted + shares))::numeric / (NULLIF(((accepted + shares) + declined), 0))::numeric), 4) AS acceptance_rate,
    completion_rate
   FROM analytics.activities_by_created_day;
CREATE TABLE analytics.codes (
    kind text NOT NULL,
    code text NOT NULL,
    label text NOT NULL,
    parent_code text,
    final boolean,
    stage text,
    shares boolean,
    lowest_score integer,
    highest_score integer,
    giver text,
    CONSTRAINT codes_giver_check CHECK ((giver = ANY (ARRAY['receiver'::text, 'sender'::text, 'both'::text]))),
    CONSTRAINT codes_stage_check CHECK ((stage = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'canceled'::text])))
);
CREATE TABLE warehouse.timeline_events (
    activity_id uuid NOT NULL,
    "position" integer NOT NULL,
    status text,
    date_time timestamp with time zone,
    message text,
    http_request_id text
);
CREATE VIEW analytics.activity_stages AS
 SELECT fact.activity_id,
    fact.created_day AS day,
    fact.activity_type AS type,
    fact.in_out_bound,
    fact.direction,
    fact.entity_id,
    fact.status,
        CASE
            WHEN (fact.outcome = 'share'::text) THEN 'accepted'::text
            ELSE fact.outcome
        END AS stage,
    fact.created_at,
    fact.answered_at AS attended_at,
    fact.completed_at,
    COALESCE(fact.answered_at, fact.created_at, fact.first_seen_at) AS shared_from,
    fact.expires_at,
        CASE
            WHEN (status.shares IS FALSE) THEN COALESCE(( SELECT max(event.date_time) AS max
               FROM warehouse.timeline_events event
              WHERE ((event.activity_id = fact.activity_id) AND (event.status = fact.status))), fact.updated_at, fact.details_fetched_at, fact.first_seen_at)
            ELSE NULL::timestamp with time zone
        END AS ended_at,
    COALESCE(((status.shares IS FALSE) OR (fact.expires_at <= now())), false) AS sharing_over,
    fact.gone_at,
    fact.values_erased_at
   FROM (analytics.activities fact
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = fact.status))));
CREATE VIEW analytics.answer_times AS
 SELECT created_month AS month,
    activity_type AS type,
    activity_type_label AS type_label,
    in_out_bound,
    (LEAST(GREATEST(ceil(hours_to_answer), (0)::double precision), (8760)::double precision))::integer AS within_hours,
    count(*) AS answered
   FROM analytics.activities
  WHERE (hours_to_answer IS NOT NULL)
  GROUP BY created_month, activity_type, activity_type_label, in_out_bound, ((LEAST(GREATEST(ceil(hours_to_answer), (0)::double precision), (8760)::double precision))::integer);
CREATE TABLE warehouse.authorization_requests (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    reference text,
    description text NOT NULL,
    phone_country_code text NOT NULL,
    phone_number text NOT NULL,
    validity_time_unit text,
    validity_amount numeric,
    requirements jsonb DEFAULT '[]'::jsonb NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    state_reason text,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    answered_at timestamp with time zone,
    activity_id uuid,
    attempts integer DEFAULT 0 NOT NULL,
    candidates jsonb DEFAULT '[]'::jsonb NOT NULL,
    next_look_at timestamp with time zone,
    source text,
    digest bytea,
    clock_offset double precision,
    recognized jsonb,
    counterpart_id text,
    resolved_from text,
    message_reference text,
    CONSTRAINT authorization_requests_linked CHECK (((state = 'linked'::text) = (activity_id IS NOT NULL))),
    CONSTRAINT authorization_requests_resolved_from_check CHECK ((resolved_from = ANY (ARRAY['sent'::text, 'unknown'::text]))),
    CONSTRAINT authorization_requests_sent CHECK (
CASE
    WHEN (state = 'queued'::text) THEN (sent_at IS NULL)
    WHEN (state = 'failed'::text) THEN true
    ELSE (sent_at IS NOT NULL)
END),
    CONSTRAINT authorization_requests_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'linked'::text, 'rejected'::text, 'unknown'::text, 'failed'::text])))
);
CREATE TABLE warehouse.requirements (
    activity_id uuid NOT NULL,
    disposition text NOT NULL,
    "position" integer NOT NULL,
    code text,
    type text,
    category text,
    value jsonb,
    CONSTRAINT requirements_disposition_check CHECK ((disposition = ANY (ARRAY['requested'::text, 'accepted'::text, 'declined'::text])))
);
ALTER TABLE ONLY warehouse.requirements ALTER COLUMN value SET STATISTICS 0;
CREATE VIEW analytics.authorization_outcomes AS
 SELECT request.id AS request_id,
        CASE
            WHEN ( SELECT analytics.may_see_personal() AS may_see_personal) THEN request.reference
            ELSE NULL::text
        END AS reference,
    request.source,
    request.state,
    request.attempts,
    request.requested_at,
    request.sent_at,
    request.activity_id,
    activity.status AS activity_status,
    activity.created_at AS activity_created_at,
    activity.valid_until,
    activity.answered_at AS attended_at,
    activity.completed_at,
    (activity.answered_at - activity.created_at) AS time_to_answer,
    (activity.completed_at - activity.created_at) AS time_to_completion,
    COALESCE(activity.final, false) AS final,
    activity.outcome,
    activity.hours_to_answer,
    activity.hours_to_completion,
    given.requirements_asked,
    given.requirements_accepted,
    given.requirements_readable,
    given.readable_until,
        CASE
            WHEN (request.state = 'sent'::text) THEN 'asked'::text
            WHEN (request.state <> 'linked'::text) THEN request.state
            WHEN (activity.outcome = ANY (ARRAY['accepted'::text, 'declined'::text, 'canceled'::text])) THEN activity.outcome
            ELSE 'linked'::text
        END AS result,
    ( SELECT string_agg(concat_ws(':'::text, requirement.code, ( SELECT string_agg(item.code, '+'::text ORDER BY item."position") AS string_agg
                   FROM warehouse.accepted_items item
                  WHERE ((item.activity_id = requirement.activity_id) AND (item.requirement_position = requirement."position")))), ' '::text ORDER BY requirement."position") AS string_agg
           FROM warehouse.requirements requirement
          WHERE ((requirement.activity_id = request.activity_id) AND (requirement.disposition = 'accepted'::text))) AS accepted,
    activity.sharing_ended,
    ((request.requested_at AT TIME ZONE calendar.time_zone))::date AS requested_day,
    (date_trunc('month'::text, (request.requested_at AT TIME ZONE calendar.time_zone)))::date AS requested_month
   FROM (((warehouse.authorization_requests request
     CROSS JOIN sync.calendar)
     LEFT JOIN analytics.activities activity ON ((activity.activity_id = request.activity_id)))
     CROSS JOIN LATERAL ( SELECT count(consent.asked_at) AS requirements_asked,
            count(consent.valid_from) AS requirements_accepted,
            count(*) FILTER (WHERE consent.readable_now) AS requirements_readable,
            max(consent.valid_to) FILTER (WHERE consent.readable_now) AS readable_until
           FROM analytics.consents consent
          WHERE ((consent.activity_id = request.activity_id) AND (NOT consent.is_item))) given);
CREATE VIEW analytics.authorization_requests AS
 SELECT id,
    reference,
    phone_country_code,
    validity_time_unit,
    validity_amount,
    requirements,
    state,
    requested_at,
    sent_at,
    answered_at,
    activity_id,
    attempts,
    next_look_at,
    source,
    clock_offset,
    counterpart_id,
    resolved_from,
    message_reference
   FROM warehouse.authorization_requests;
CREATE TABLE sync.runs (
    run_id text NOT NULL,
    kind text NOT NULL,
    window_from date,
    window_to date,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    status text DEFAULT 'running'::text NOT NULL,
    error text,
    listed bigint DEFAULT 0 NOT NULL,
    new bigint DEFAULT 0 NOT NULL,
    changed bigint DEFAULT 0 NOT NULL,
    unchanged bigint DEFAULT 0 NOT NULL,
    gone bigint DEFAULT 0 NOT NULL,
    quarantined bigint DEFAULT 0 NOT NULL,
    requests bigint DEFAULT 0 NOT NULL,
    retries bigint DEFAULT 0 NOT NULL,
    logins bigint DEFAULT 0 NOT NULL,
    bytes_received bigint DEFAULT 0 NOT NULL,
    healed bigint DEFAULT 0 NOT NULL,
    erased bigint DEFAULT 0 NOT NULL,
    pruned bigint DEFAULT 0 NOT NULL,
    package_version text,
    schema_version text
);
CREATE TABLE warehouse.activities (
    id uuid NOT NULL,
    type text,
    type_name text,
    in_out_bound text,
    entity_id uuid,
    description text,
    status text,
    notification_message text,
    time_zone text,
    valid_until timestamp with time zone,
    attended_at timestamp with time zone,
    completed_at timestamp with time zone,
    expires_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    expires_in_time_unit text,
    expires_in_amount numeric,
    first_seen_at timestamp with time zone NOT NULL,
    details_fetched_at timestamp with time zone,
    gone_at timestamp with time zone,
    values_erased_at timestamp with time zone,
    personal_erased_at timestamp with time zone
);
CREATE VIEW analytics.change_lag AS
 WITH visible AS (
         SELECT (date_trunc('week'::text, (activity.details_fetched_at AT TIME ZONE COALESCE(( SELECT service_facts.value
                   FROM sync.service_facts
                  WHERE (service_facts.fact = 'configured_zone'::text)), 'UTC'::text))))::date AS week,
            ((EXTRACT(epoch FROM (activity.details_fetched_at - activity.updated_at)))::double precision / (3600)::double precision) AS hours
           FROM warehouse.activities activity
          WHERE (activity.updated_at >= COALESCE(( SELECT min(runs.started_at) AS min
                   FROM sync.runs), '-infinity'::timestamp with time zone))
        )
 SELECT week,
    count(*) AS changes,
    percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY hours) AS hours_p50,
    percentile_cont((0.9)::double precision) WITHIN GROUP (ORDER BY hours) AS hours_p90,
    max(hours) AS hours_max
   FROM visible
  GROUP BY week;
CREATE TABLE warehouse.entities (
    id uuid NOT NULL,
    name text,
    cifcode uuid,
    type text,
    avatar text,
    score numeric,
    scoring_level text,
    unregistered boolean,
    created_at timestamp with time zone,
    digest bytea NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    unregistered_at timestamp with time zone
);
CREATE VIEW analytics.counterpart_activity AS
 SELECT entity.id AS entity_id,
    count(activity.activity_id) AS activities,
    count(*) FILTER (WHERE (activity.in_out_bound = 'IN'::text)) AS received,
    count(*) FILTER (WHERE (activity.in_out_bound = 'OUT'::text)) AS sent,
    count(*) FILTER (WHERE (activity.outcome = 'pending'::text)) AS pending,
    count(*) FILTER (WHERE (activity.outcome = ANY (ARRAY['accepted'::text, 'share'::text]))) AS accepted,
    count(*) FILTER (WHERE (activity.outcome = 'declined'::text)) AS declined,
    count(*) FILTER (WHERE (activity.outcome = 'canceled'::text)) AS canceled,
    min(activity.created_at) AS first_contact_at,
    max(GREATEST(activity.created_at, activity.answered_at, activity.completed_at)) AS last_contact_at
   FROM (warehouse.entities entity
     LEFT JOIN analytics.activities activity ON ((activity.entity_id = entity.id)))
  GROUP BY entity.id;
CREATE TABLE warehouse.entity_scores (
    entity_id uuid NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    score numeric,
    scoring_level text
);
CREATE TABLE warehouse.entity_social_media (
    entity_id uuid NOT NULL,
    "position" integer NOT NULL,
    media text,
    url text
);
CREATE VIEW analytics.counterparts AS
 SELECT entity.id AS entity_id,
    entity.type AS entity_type,
    type.label AS entity_type_label,
        CASE
            WHEN shown.personal THEN entity.name
            ELSE NULL::text
        END AS name,
        CASE
            WHEN shown.personal THEN entity.avatar
            ELSE NULL::text
        END AS avatar,
        CASE
            WHEN shown.personal THEN ( SELECT jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) ORDER BY link."position") AS jsonb_agg
               FROM warehouse.entity_social_media link
              WHERE (link.entity_id = entity.id))
            ELSE NULL::jsonb
        END AS social_media,
    entity.cifcode,
    COALESCE(entity.unregistered, false) AS unregistered,
    entity.created_at,
    entity.score,
    entity.scoring_level,
    level.label AS scoring_level_label,
    ( SELECT jsonb_agg((to_jsonb(kept.*) - 'entity_id'::text) ORDER BY kept.observed_at) AS jsonb_agg
           FROM warehouse.entity_scores kept
          WHERE (kept.entity_id = entity.id)) AS score_history,
    counted.activities,
    counted.received,
    counted.sent,
    counted.they_accepted,
    counted.they_declined,
    counted.they_ignored,
    counted.their_acceptance_rate,
    counted.we_accepted,
    counted.we_declined,
    counted.we_ignored,
    counted.our_acceptance_rate,
    counted.first_contact_at,
    counted.first_contact_day,
    counted.last_heard_at,
    counted.last_heard_day,
    counted.last_sent_at,
    COALESCE(counted.last_heard_at, counted.first_contact_at) AS silent_since
   FROM ((((warehouse.entities entity
     CROSS JOIN LATERAL ( SELECT ((entity.unregistered IS NOT TRUE) AND ( SELECT analytics.may_see_personal() AS may_see_personal)) AS personal) shown)
     CROSS JOIN LATERAL ( SELECT count(*) AS activities,
            count(*) FILTER (WHERE (activities.in_out_bound = 'IN'::text)) AS received,
            count(*) FILTER (WHERE (activities.in_out_bound = 'OUT'::text)) AS sent,
            count(*) FILTER (WHERE ((activities.answered_by = 'them'::text) AND (activities.outcome = 'accepted'::text))) AS they_accepted,
            count(*) FILTER (WHERE ((activities.answered_by = 'them'::text) AND (activities.outcome = 'declined'::text))) AS they_declined,
            count(*) FILTER (WHERE ((activities.in_out_bound = 'OUT'::text) AND (activities.outcome = 'canceled'::text))) AS they_ignored,
            round(avg(((activities.outcome = 'accepted'::text))::integer) FILTER (WHERE ((activities.answered_by = 'them'::text) AND (activities.outcome = ANY (ARRAY['accepted'::text, 'declined'::text])))), 4) AS their_acceptance_rate,
            count(*) FILTER (WHERE ((activities.answered_by = 'us'::text) AND (activities.outcome = 'accepted'::text))) AS we_accepted,
            count(*) FILTER (WHERE ((activities.answered_by = 'us'::text) AND (activities.outcome = 'declined'::text))) AS we_declined,
            count(*) FILTER (WHERE ((activities.in_out_bound = 'IN'::text) AND (activities.outcome = 'canceled'::text))) AS we_ignored,
            round(avg(((activities.outcome = 'accepted'::text))::integer) FILTER (WHERE ((activities.answered_by = 'us'::text) AND (activities.outcome = ANY (ARRAY['accepted'::text, 'declined'::text])))), 4) AS our_acceptance_rate,
            min(activities.created_at) AS first_contact_at,
            min(activities.created_day) AS first_contact_day,
            max(
                CASE activities.in_out_bound
                    WHEN 'IN'::text THEN activities.created_at
                    WHEN 'OUT'::text THEN activities.answered_at
                    ELSE NULL::timestamp with time zone
                END) AS last_heard_at,
            max(
                CASE activities.in_out_bound
                    WHEN 'IN'::text THEN activities.created_day
                    WHEN 'OUT'::text THEN activities.answered_day
                    ELSE NULL::date
                END) AS last_heard_day,
            max(
                CASE activities.in_out_bound
                    WHEN 'OUT'::text THEN activities.created_at
                    WHEN 'IN'::text THEN activities.answered_at
                    ELSE NULL::timestamp with time zone
                END) AS last_sent_at
           FROM analytics.activities
          WHERE (activities.entity_id = entity.id)) counted)
     LEFT JOIN analytics.codes type ON (((type.kind = 'entity_type'::text) AND (type.code = entity.type))))
     LEFT JOIN analytics.codes level ON (((level.kind = 'scoring_level'::text) AND (level.code = entity.scoring_level))));
CREATE VIEW analytics.daily_status AS
 WITH steps AS (
         SELECT move.day,
            move.status,
            sum(move.change) AS change
           FROM ( SELECT status_changes.entered_day AS day,
                    status_changes.status,
                    1 AS change
                   FROM analytics.status_changes
                UNION ALL
                 SELECT status_changes.left_day,
                    status_changes.status,
                    '-1'::integer
                   FROM analytics.status_changes
                  WHERE (status_changes.left_day IS NOT NULL)) move
          GROUP BY move.day, move.status
        ), grid AS (
         SELECT (series.day)::date AS day,
            entered.status
           FROM (generate_series((( SELECT min(steps_1.day) AS min
                   FROM steps steps_1))::timestamp without time zone, (( SELECT calendar.today
                   FROM sync.calendar))::timestamp without time zone, '1 day'::interval) series(day)
             CROSS JOIN ( SELECT DISTINCT steps_1.status
                   FROM steps steps_1
                  WHERE (steps_1.change > 0)) entered)
        )
 SELECT grid.day,
    grid.status,
    label.label AS status_label,
    (sum(COALESCE(steps.change, (0)::bigint)) OVER (PARTITION BY grid.status ORDER BY grid.day))::bigint AS activities
   FROM ((grid
     LEFT JOIN steps ON (((steps.day = grid.day) AND (NOT (steps.status IS DISTINCT FROM grid.status)))))
     LEFT JOIN analytics.codes label ON (((label.kind = 'status'::text) AND (label.code = grid.status))));
CREATE VIEW analytics.daily_status_changes AS
 SELECT fact.created_day,
    move.day,
    fact.status,
    sum(move.change) AS change
   FROM (analytics.status_changes fact
     CROSS JOIN LATERAL ( VALUES (fact.entered_day,1), (fact.left_day,'-1'::integer)) move(day, change))
  WHERE (move.day IS NOT NULL)
  GROUP BY fact.created_day, move.day, fact.status
 HAVING (sum(move.change) <> 0);
CREATE VIEW analytics.decision_times AS
 SELECT month,
    type,
    type_label,
    in_out_bound,
    attended,
    created_to_attended[1] AS created_to_attended_p50,
    created_to_attended[2] AS created_to_attended_p90,
    created_to_attended[3] AS created_to_attended_p95,
    completed,
    attended_to_completed[1] AS attended_to_completed_p50,
    attended_to_completed[2] AS attended_to_completed_p90,
    attended_to_completed[3] AS attended_to_completed_p95,
    created_to_completed[1] AS created_to_completed_p50,
    created_to_completed[2] AS created_to_completed_p90,
    created_to_completed[3] AS created_to_completed_p95,
    ((EXTRACT(epoch FROM created_to_attended[1]))::double precision / (3600)::double precision) AS created_to_attended_hours_p50,
    ((EXTRACT(epoch FROM created_to_attended[2]))::double precision / (3600)::double precision) AS created_to_attended_hours_p90,
    ((EXTRACT(epoch FROM created_to_attended[3]))::double precision / (3600)::double precision) AS created_to_attended_hours_p95,
    ((EXTRACT(epoch FROM attended_to_completed[1]))::double precision / (3600)::double precision) AS attended_to_completed_hours_p50,
    ((EXTRACT(epoch FROM attended_to_completed[2]))::double precision / (3600)::double precision) AS attended_to_completed_hours_p90,
    ((EXTRACT(epoch FROM attended_to_completed[3]))::double precision / (3600)::double precision) AS attended_to_completed_hours_p95,
    ((EXTRACT(epoch FROM created_to_completed[1]))::double precision / (3600)::double precision) AS created_to_completed_hours_p50,
    ((EXTRACT(epoch FROM created_to_completed[2]))::double precision / (3600)::double precision) AS created_to_completed_hours_p90,
    ((EXTRACT(epoch FROM created_to_completed[3]))::double precision / (3600)::double precision) AS created_to_completed_hours_p95
   FROM ( SELECT activities.created_month AS month,
            activities.activity_type AS type,
            activities.activity_type_label AS type_label,
            activities.in_out_bound,
            count(activities.answered_at) AS attended,
            count((activities.completed_at - activities.created_at)) AS completed,
            percentile_cont((ARRAY[0.5, 0.9, 0.95])::double precision[]) WITHIN GROUP (ORDER BY (activities.answered_at - activities.created_at)) AS created_to_attended,
            percentile_cont((ARRAY[0.5, 0.9, 0.95])::double precision[]) WITHIN GROUP (ORDER BY (activities.completed_at - activities.answered_at)) AS attended_to_completed,
            percentile_cont((ARRAY[0.5, 0.9, 0.95])::double precision[]) WITHIN GROUP (ORDER BY (activities.completed_at - activities.created_at)) AS created_to_completed
           FROM analytics.activities
          WHERE (num_nonnulls(activities.answered_at, activities.completed_at) > 0)
          GROUP BY activities.created_month, activities.activity_type, activities.activity_type_label, activities.in_out_bound) measured;
CREATE VIEW analytics.deprecated_activities AS
 SELECT fact.activity_id AS id,
    fact.created_day AS day,
    fact.activity_type AS type,
    fact.activity_type_label AS type_label,
    fact.activity_type_name AS type_name,
    fact.in_out_bound,
    bound.label AS in_out_bound_label,
    fact.status,
    fact.status_label,
        CASE
            WHEN (fact.outcome = 'share'::text) THEN 'accepted'::text
            ELSE fact.outcome
        END AS stage,
    fact.final,
    fact.entity_id,
        CASE
            WHEN ((entity.unregistered IS NOT TRUE) AND ( SELECT analytics.may_see_personal() AS may_see_personal)) THEN entity.name
            ELSE NULL::text
        END AS entity_name,
    entity.type AS entity_type,
    entity_type.label AS entity_type_label,
    entity.score AS entity_score,
    entity.scoring_level AS entity_scoring_level,
    entity.unregistered AS entity_unregistered,
    fact.time_zone,
    fact.created_at,
    fact.updated_at,
    fact.valid_until,
    fact.answered_at AS attended_at,
    fact.completed_at,
    fact.expires_at,
    fact.expires_in_time_unit,
    fact.expires_in_amount,
    (fact.answered_at - fact.created_at) AS created_to_attended,
    (fact.completed_at - fact.answered_at) AS attended_to_completed,
    fact.first_seen_at,
    fact.details_fetched_at,
    fact.gone_at,
    fact.values_erased_at,
    fact.hours_to_answer AS created_to_attended_hours,
    ((EXTRACT(epoch FROM (fact.completed_at - fact.answered_at)))::double precision / (3600)::double precision) AS attended_to_completed_hours,
    fact.personal_erased_at
   FROM (((analytics.activities fact
     LEFT JOIN warehouse.entities entity ON ((entity.id = fact.entity_id)))
     LEFT JOIN analytics.codes entity_type ON (((entity_type.kind = 'entity_type'::text) AND (entity_type.code = entity.type))))
     LEFT JOIN analytics.codes bound ON (((bound.kind = 'in_out_bound'::text) AND (bound.code = fact.in_out_bound))));
CREATE VIEW analytics.deprecated_counterparts AS
 SELECT now_is.entity_id,
    now_is.entity_type AS type,
    now_is.entity_type_label AS type_label,
    now_is.name,
    now_is.cifcode,
    now_is.unregistered,
    now_is.created_at,
    now_is.score,
    now_is.scoring_level,
    now_is.scoring_level_label,
    now_is.score_history,
    counted.activities,
    counted.received,
    counted.sent,
    counted.pending,
    counted.accepted,
    counted.declined,
    counted.canceled,
    round(((counted.accepted)::numeric / (NULLIF((counted.accepted + counted.declined), 0))::numeric), 4) AS acceptance_rate,
    counted.first_contact_at,
    counted.last_contact_at
   FROM (analytics.counterparts now_is
     JOIN analytics.counterpart_activity counted ON ((counted.entity_id = now_is.entity_id)));
CREATE VIEW analytics.deprecated_requirements AS
 SELECT activity_id,
    disposition,
    "position",
    code,
    type,
    category
   FROM warehouse.requirements;
CREATE VIEW analytics.entities AS
 SELECT id,
    cifcode,
    type,
    score,
    scoring_level,
    unregistered,
    created_at,
    observed_at,
    unregistered_at
   FROM warehouse.entities;
CREATE TABLE landing.activity_list_rows (
    activity_id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    digest bytea NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY landing.activity_list_rows ALTER COLUMN body SET STATISTICS 0;
CREATE VIEW analytics.entity_history AS
 SELECT entity.id AS entity_id,
    history.valid_from,
    history.valid_to,
        CASE
            WHEN ((entity.unregistered IS NOT TRUE) AND ( SELECT analytics.may_see_personal() AS may_see_personal)) THEN history.name
            ELSE NULL::text
        END AS name,
    history.score,
    history.scoring_level,
    history.unregistered
   FROM (warehouse.entities entity
     CROSS JOIN LATERAL ( WITH observed AS (
                 SELECT seen.at,
                    max(seen.name) AS name,
                    max(seen.score) AS score,
                    max(seen.scoring_level) AS scoring_level,
                    bool_or(seen.unregistered) AS unregistered
                   FROM ( SELECT listed.first_seen_at AS at,
                            (said.entity ->> 'name'::text) AS name,
                            (
                                CASE
                                    WHEN (jsonb_typeof((said.entity -> 'score'::text)) = 'number'::text) THEN (said.entity -> 'score'::text)
                                    ELSE NULL::jsonb
                                END)::numeric AS score,
                            (said.entity ->> 'scoring_level'::text) AS scoring_level,
                            (
                                CASE
                                    WHEN (jsonb_typeof((said.entity -> 'unregistered'::text)) = 'boolean'::text) THEN (said.entity -> 'unregistered'::text)
                                    ELSE NULL::jsonb
                                END)::boolean AS unregistered
                           FROM ((warehouse.activities activity
                             JOIN landing.activity_list_rows listed ON ((listed.activity_id = activity.id)))
                             CROSS JOIN LATERAL ( SELECT (landing.read_json(listed.body) -> 'entity'::text) AS entity
                                 OFFSET 0) said)
                          WHERE ((activity.entity_id = entity.id) AND (lower((said.entity ->> 'id'::text)) = (entity.id)::text) AND (listed.first_seen_at < entity.observed_at))
                        UNION ALL
                         SELECT kept.observed_at,
                            NULL::text,
                            kept.score,
                            kept.scoring_level,
                            NULL::boolean
                           FROM warehouse.entity_scores kept
                          WHERE (kept.entity_id = entity.id)
                        UNION ALL
                         SELECT entity.observed_at,
                            entity.name,
                            entity.score,
                            entity.scoring_level,
                            entity.unregistered) seen
                  GROUP BY seen.at
                ), filled AS (
                 SELECT observed.at,
                    (array_agg(observed.name) FILTER (WHERE (observed.name IS NOT NULL)) OVER so_far)[count(observed.name) OVER so_far] AS name,
                    (array_agg(observed.score) FILTER (WHERE (observed.score IS NOT NULL)) OVER so_far)[count(observed.score) OVER so_far] AS score,
                    (array_agg(observed.scoring_level) FILTER (WHERE (observed.scoring_level IS NOT NULL)) OVER so_far)[count(observed.scoring_level) OVER so_far] AS scoring_level,
                    (array_agg(observed.unregistered) FILTER (WHERE (observed.unregistered IS NOT NULL)) OVER so_far)[count(observed.unregistered) OVER so_far] AS unregistered
                   FROM observed
                  WINDOW so_far AS (ORDER BY observed.at)
                ), changed AS (
                 SELECT filled.at,
                    filled.name,
                    filled.score,
                    filled.scoring_level,
                    filled.unregistered,
                    (lag(ROW(filled.name, filled.score, filled.scoring_level, filled.unregistered)) OVER (ORDER BY filled.at) IS DISTINCT FROM ROW(filled.name, filled.score, filled.scoring_level, filled.unregistered)) AS differs
                   FROM filled
                )
         SELECT changed.at AS valid_from,
            lead(changed.at) OVER (ORDER BY changed.at) AS valid_to,
            changed.name,
            changed.score,
            changed.scoring_level,
            changed.unregistered
           FROM changed
          WHERE changed.differs) history);
CREATE VIEW analytics.entity_profiles WITH (security_barrier='true') AS
 SELECT id AS entity_id,
    name,
    avatar,
    ( SELECT jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) ORDER BY link."position") AS jsonb_agg
           FROM warehouse.entity_social_media link
          WHERE (link.entity_id = entity.id)) AS social_media
   FROM warehouse.entities entity
  WHERE (unregistered IS NOT TRUE);
CREATE VIEW analytics.entity_scores AS
 SELECT entity_id,
    observed_at,
    score,
    scoring_level
   FROM warehouse.entity_scores;
CREATE VIEW analytics.entity_social_media AS
 SELECT entity_id,
    "position",
    media
   FROM warehouse.entity_social_media;
CREATE VIEW analytics.expiring_shares AS
 SELECT consent.activity_id,
    consent.accepted_position AS "position",
    consent.code,
    requirement.label AS code_label,
    consent.requirement_type AS type,
    consent.category,
    ( SELECT array_agg(item.item_code ORDER BY item.accepted_item) AS array_agg
           FROM analytics.consents item
          WHERE ((item.activity_id = consent.activity_id) AND (item.accepted_position = consent.accepted_position) AND item.is_item AND item.readable_now)) AS items,
    consent.activity_type,
    consent.in_out_bound,
    consent.status,
    consent.entity_id,
    consent.expires_at,
    (consent.expires_at - now()) AS time_left,
    ((EXTRACT(epoch FROM (consent.expires_at - now())))::double precision / (3600)::double precision) AS hours_left
   FROM (analytics.consents consent
     LEFT JOIN analytics.codes requirement ON (((requirement.kind = 'requirement'::text) AND (requirement.code = consent.code))))
  WHERE ((consent.expires_at > now()) AND (NOT consent.is_item) AND consent.readable_now);
CREATE TABLE sync.refresh_queue (
    activity_id uuid,
    entity_id uuid,
    day date
);
CREATE TABLE sync.verifications (
    run_id text NOT NULL,
    sampled bigint NOT NULL,
    compared bigint NOT NULL,
    stale bigint NOT NULL,
    refused bigint NOT NULL,
    failed bigint NOT NULL,
    share_low double precision NOT NULL,
    share_high double precision NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    stale_upper_bound double precision
);
CREATE TABLE sync.view_versions (
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    refreshed_at timestamp with time zone
);
CREATE VIEW analytics.freshness AS
 WITH bounds AS (
         SELECT COALESCE(calendar.start_date, min(known.day) FILTER (WHERE known.asked)) AS first_day,
            max(known.day) FILTER (WHERE (known.asked OR (known.incomplete IS NOT NULL))) AS last_day,
            max(known.day) FILTER (WHERE known.asked) AS newest_day,
            calendar.time_zone
           FROM (sync.calendar
             LEFT JOIN ( SELECT days.day,
                    days.incomplete,
                    (days.complete OR (days.incomplete <> 'never asked for'::text)) AS asked
                   FROM analytics.days) known ON (true))
          GROUP BY calendar.start_date, calendar.time_zone
        ), summed AS (
         SELECT COALESCE((min(known.day) FILTER (WHERE ((known.day >= bounds_1.first_day) AND (known.incomplete IS NOT NULL))) - 1), max(bounds_1.last_day)) AS through,
            count(known.incomplete) AS incomplete_days,
            (COALESCE(sum(known.quarantined), (0)::numeric))::bigint AS quarantined,
                CASE
                    WHEN bool_and((known.verified_at IS NOT NULL)) FILTER (WHERE (known.day >= bounds_1.first_day)) THEN min(known.verified_at) FILTER (WHERE (known.day >= bounds_1.first_day))
                    ELSE NULL::timestamp with time zone
                END AS oldest_verification,
            max(known.verified_at) AS newest_verification
           FROM (bounds bounds_1
             LEFT JOIN analytics.days known ON ((known.day <= bounds_1.last_day)))
        ), samples AS (
         SELECT min(verifications.finished_at) AS measured_since,
            (COALESCE(sum(verifications.sampled), (0)::numeric))::bigint AS measured_activities,
            (array_agg(verifications.stale_upper_bound ORDER BY verifications.finished_at DESC))[1] AS stale_upper_bound
           FROM sync.verifications
          WHERE (verifications.stale_upper_bound IS NOT NULL)
        )
 SELECT bounds.first_day AS covered_from,
        CASE
            WHEN (summed.through >= bounds.first_day) THEN summed.through
            ELSE NULL::date
        END AS complete_through,
    bounds.newest_day,
    summed.incomplete_days,
    summed.quarantined,
    summed.oldest_verification,
    summed.newest_verification,
    samples.stale_upper_bound,
    samples.measured_activities,
    samples.measured_since,
    ( SELECT min(view_versions.refreshed_at) AS min
           FROM sync.view_versions) AS refreshed_at,
    bounds.time_zone,
    ( SELECT count(DISTINCT COALESCE((refresh_queue.activity_id)::text, (refresh_queue.entity_id)::text, (refresh_queue.day)::text, 'everything'::text)) AS count
           FROM sync.refresh_queue) AS not_counted
   FROM ((bounds
     CROSS JOIN summed)
     CROSS JOIN samples);
CREATE VIEW analytics.hours_of_week AS
 SELECT fact.created_month AS month,
    fact.activity_type AS type,
    fact.activity_type_label AS type_label,
    fact.in_out_bound,
    (EXTRACT(isodow FROM moment.day))::integer AS weekday,
    moment.hour,
    count(*) FILTER (WHERE moment.is_creation) AS created,
    count(*) FILTER (WHERE (NOT moment.is_creation)) AS answered
   FROM (analytics.activities fact
     CROSS JOIN LATERAL ( VALUES (true,fact.created_day,fact.created_hour), (false,fact.answered_day,fact.answered_hour)) moment(is_creation, day, hour))
  WHERE (moment.day IS NOT NULL)
  GROUP BY fact.created_month, fact.activity_type, fact.activity_type_label, fact.in_out_bound, ((EXTRACT(isodow FROM moment.day))::integer), moment.hour;
CREATE VIEW analytics.item_outcomes AS
 SELECT answer.created_day AS day,
    answer.activity_type AS type,
    type.label AS type_label,
    answer.in_out_bound,
    answer.direction,
    answer.code,
    answer.code_label,
    answer.is_item,
    answer.item_code,
    answer.item_label,
    count(*) FILTER (WHERE answer.asked) AS asked,
    count(*) FILTER (WHERE (answer.asked AND (answer.outcome = 'accepted'::text))) AS given,
    count(*) FILTER (WHERE (answer.asked AND (answer.outcome = 'partly'::text))) AS partly,
    count(*) FILTER (WHERE (answer.asked AND (answer.outcome = 'declined'::text))) AS declined,
    count(*) FILTER (WHERE (answer.asked AND (answer.outcome = 'pending'::text))) AS pending,
    count(*) FILTER (WHERE (answer.asked AND (answer.outcome = 'unanswered'::text))) AS unanswered,
    count(*) FILTER (WHERE (NOT answer.asked)) AS unasked,
    round(((count(*) FILTER (WHERE (answer.asked AND (answer.outcome = ANY (ARRAY['accepted'::text, 'partly'::text])))))::numeric / (NULLIF(count(*) FILTER (WHERE (answer.asked AND (answer.outcome = ANY (ARRAY['accepted'::text, 'partly'::text, 'declined'::text])))), 0))::numeric), 4) AS given_rate
   FROM (( SELECT requirements.created_day,
            requirements.activity_type,
            requirements.in_out_bound,
            requirements.direction,
            requirements.requirement_code AS code,
            requirements.requirement_label AS code_label,
            false AS is_item,
            NULL::text AS item_code,
            NULL::text AS item_label,
            requirements.asked,
            requirements.outcome
           FROM analytics.requirements
        UNION ALL
         SELECT items.created_day,
            items.activity_type,
            items.in_out_bound,
            items.direction,
            items.requirement_code,
            items.requirement_label,
            true,
            items.item_code,
            items.item_label,
            items.asked,
            items.outcome
           FROM analytics.items) answer
     LEFT JOIN analytics.codes type ON (((type.kind = 'activity_type'::text) AND (type.code = answer.activity_type))))
  GROUP BY answer.created_day, answer.activity_type, type.label, answer.in_out_bound, answer.direction, answer.code, answer.code_label, answer.is_item, answer.item_code, answer.item_label;
CREATE VIEW analytics.open_activities AS
 SELECT activity_id,
    created_day,
    activity_type,
    activity_type_label,
    in_out_bound,
    status,
    status_label,
        CASE
            WHEN (outcome = ANY (ARRAY['accepted'::text, 'share'::text])) THEN 'completion'::text
            ELSE waiting_for
        END AS waiting_for,
    entity_id,
    created_at,
    (now() - created_at) AS age,
    valid_until,
        CASE
            WHEN (outcome = 'pending'::text) THEN (valid_until - now())
            ELSE NULL::interval
        END AS time_left,
    COALESCE(((outcome = 'pending'::text) AND (valid_until <= now())), false) AS overdue,
    details_fetched_at,
        CASE
            WHEN (outcome = 'pending'::text) THEN ((EXTRACT(epoch FROM (valid_until - now())))::double precision / (3600)::double precision)
            ELSE NULL::double precision
        END AS hours_left
   FROM analytics.activities
  WHERE ((NOT final) AND (gone_at IS NULL));
CREATE VIEW analytics.requirement_answers AS
 SELECT activity_id,
    created_day AS day,
    activity_type,
    in_out_bound,
    direction,
    entity_id,
    code,
    is_item,
    item_code,
    requirement_type AS type,
    category,
    listed_in,
    requirement_position,
    item_position,
    accepted_position,
    accepted_item,
    (asked_at IS NOT NULL) AS asked,
    (valid_from IS NOT NULL) AS given,
    decision,
    has_value
   FROM analytics.consents;
CREATE TABLE warehouse.requirement_items (
    activity_id uuid NOT NULL,
    disposition text NOT NULL,
    requirement_position integer NOT NULL,
    "position" integer NOT NULL,
    code text,
    CONSTRAINT requirement_items_disposition_check CHECK ((disposition = ANY (ARRAY['requested'::text, 'declined'::text])))
);
CREATE VIEW analytics.requirement_items AS
 SELECT activity_id,
    disposition,
    requirement_position,
    "position",
    code
   FROM warehouse.requirement_items;
CREATE VIEW analytics.requirement_outcomes AS
 SELECT created_day AS day,
    requirement_code AS code,
    requirement_label AS code_label,
    count(*) FILTER (WHERE asked) AS asked,
    count(*) FILTER (WHERE (asked AND (outcome = 'accepted'::text))) AS accepted,
    count(*) FILTER (WHERE (asked AND (outcome = 'partly'::text))) AS partly_accepted,
    count(*) FILTER (WHERE (asked AND (outcome = 'declined'::text))) AS declined,
    count(*) FILTER (WHERE (asked AND (outcome = 'pending'::text))) AS pending,
    count(*) FILTER (WHERE (asked AND (outcome = 'unanswered'::text))) AS unanswered,
    count(*) FILTER (WHERE (NOT asked)) AS unasked,
    round(((count(*) FILTER (WHERE (asked AND (outcome = ANY (ARRAY['accepted'::text, 'partly'::text])))))::numeric / (NULLIF(count(*) FILTER (WHERE (asked AND (outcome = ANY (ARRAY['accepted'::text, 'partly'::text, 'declined'::text])))), 0))::numeric), 4) AS acceptance_rate
   FROM analytics.requirements answer
  GROUP BY created_day, requirement_code, requirement_label;
CREATE TABLE sync.privacy (
    applied boolean DEFAULT true NOT NULL,
    expired_values text DEFAULT 'hide'::text NOT NULL,
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    phone_key bytea DEFAULT decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text) NOT NULL,
    CONSTRAINT privacy_applied_check CHECK (applied),
    CONSTRAINT privacy_expired_values_check CHECK ((expired_values = ANY (ARRAY['hide'::text, 'erase'::text, 'keep'::text])))
);
CREATE VIEW analytics.shared_values WITH (security_barrier='true') AS
 SELECT activity.id AS activity_id,
    activity.entity_id,
    given.requirement_position,
    given.item_position,
    given.requirement_code,
    given.item_code,
    given.type AS requirement_type,
    given.value,
    activity.expires_at
   FROM (((warehouse.activities activity
     LEFT JOIN warehouse.entities entity ON ((entity.id = activity.entity_id)))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = activity.status))))
     JOIN ( SELECT requirements.activity_id,
            requirements.disposition,
            requirements."position" AS requirement_position,
            NULL::integer AS item_position,
            requirements.code AS requirement_code,
            NULL::text AS item_code,
            requirements.type,
            requirements.value
           FROM warehouse.requirements
        UNION ALL
         SELECT accepted_items.activity_id,
            'accepted'::text,
            accepted_items.requirement_position,
            accepted_items."position",
            accepted_items.requirement_code,
            accepted_items.code,
            accepted_items.type,
            accepted_items.value
           FROM warehouse.accepted_items) given ON ((given.activity_id = activity.id)))
  WHERE ((given.disposition = 'accepted'::text) AND (given.value IS NOT NULL) AND (entity.unregistered IS NOT TRUE) AND (activity.gone_at IS NULL) AND (activity.values_erased_at IS NULL) AND (((status.shares IS NOT FALSE) AND ((activity.expires_at > now()) OR (activity.expires_at IS NULL))) OR ( SELECT (privacy.expired_values = 'keep'::text)
           FROM sync.privacy privacy)));
CREATE VIEW analytics.status_intervals AS
 SELECT event.activity_id,
    fact.created_day AS day,
    event."position",
    event.status,
    status.label AS status_label,
    event.date_time AS from_at,
    following.date_time AS to_at,
    following.status AS next_status,
    (following.date_time - event.date_time) AS duration
   FROM (((warehouse.timeline_events event
     LEFT JOIN analytics.activities fact ON ((fact.activity_id = event.activity_id)))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = event.status))))
     LEFT JOIN LATERAL ( SELECT next.date_time,
            next.status
           FROM warehouse.timeline_events next
          WHERE ((next.activity_id = event.activity_id) AND (ROW(next.date_time, next."position") > ROW(event.date_time, event."position")))
          ORDER BY next.date_time, next."position"
         LIMIT 1) following ON (true))
  WHERE (event.date_time IS NOT NULL);
CREATE VIEW analytics.timeline_events AS
 SELECT activity_id,
    "position",
    status,
    date_time,
    http_request_id
   FROM warehouse.timeline_events;
CREATE TABLE sync.unknown_values (
    kind text NOT NULL,
    value text NOT NULL,
    sample_activity_id uuid,
    first_seen_at timestamp with time zone NOT NULL
);
CREATE VIEW analytics.unlabelled_codes AS
 SELECT kind,
    value AS code,
    first_seen_at,
    sample_activity_id
   FROM sync.unknown_values seen
  WHERE ((kind <> ALL (ARRAY['field'::text, 'list field'::text])) AND (NOT (EXISTS ( SELECT
           FROM analytics.codes known
          WHERE ((known.kind = seen.kind) AND (known.code = seen.value))))));
CREATE TABLE landing.activity_details (
    activity_id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    digest bytea NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY landing.activity_details ALTER COLUMN body SET STATISTICS 0;
CREATE VIEW landing.activity_versions AS
 SELECT version.activity_id,
    version.source,
    version.known_from,
    version.known_to,
    (parsed.fields ->> 'type'::text) AS type,
    (parsed.fields ->> 'in_out_bound'::text) AS in_out_bound,
    (lower((parsed.fields #>> '{entity,id}'::text[])))::uuid AS entity_id,
    (parsed.fields ->> 'status'::text) AS status,
    (parsed.fields ->> 'time_zone'::text) AS time_zone,
    landing.read_instant((parsed.fields -> 'valid_until'::text)) AS valid_until,
    landing.read_instant(NULLIF((parsed.fields -> 'attended_at'::text), '0'::jsonb)) AS attended_at,
    landing.read_instant(NULLIF((parsed.fields -> 'completed_at'::text), '0'::jsonb)) AS completed_at,
    landing.read_instant(NULLIF((parsed.fields -> 'expires_at'::text), '0'::jsonb)) AS expires_at,
    landing.read_instant((parsed.fields -> 'created_at'::text)) AS created_at,
    landing.read_instant((parsed.fields -> 'updated_at'::text)) AS updated_at,
    (parsed.fields #>> '{expires_in,time_unit}'::text[]) AS expires_in_time_unit,
    ((parsed.fields #>> '{expires_in,amount}'::text[]))::numeric AS expires_in_amount
   FROM (( SELECT details.activity_id,
            'details'::text AS source,
            details.first_seen_at AS known_from,
            ( SELECT min(later.first_seen_at) AS min
                   FROM landing.activity_details later
                  WHERE ((later.activity_id = details.activity_id) AND (later.first_seen_at > details.first_seen_at))) AS known_to,
            details.body
           FROM landing.activity_details details
        UNION ALL
         SELECT listed.activity_id,
            'list'::text AS text,
            listed.first_seen_at,
            LEAST(( SELECT min(later.first_seen_at) AS min
                   FROM landing.activity_list_rows later
                  WHERE ((later.activity_id = listed.activity_id) AND (later.first_seen_at > listed.first_seen_at))), first_details.at) AS "least",
            listed.body
           FROM (landing.activity_list_rows listed
             CROSS JOIN LATERAL ( SELECT min(details.first_seen_at) AS at
                   FROM landing.activity_details details
                  WHERE (details.activity_id = listed.activity_id)) first_details)
          WHERE ((first_details.at IS NULL) OR (listed.first_seen_at < first_details.at))) version
     CROSS JOIN LATERAL ( SELECT landing.read_json(version.body) AS fields
         OFFSET 0) parsed);
CREATE TABLE sync.activity_ledger (
    activity_id uuid NOT NULL,
    day date,
    listed bytea,
    listed_at timestamp with time zone,
    settled bytea,
    details bytea,
    mapping_version smallint,
    checked_at timestamp with time zone,
    service_time timestamp with time zone,
    final boolean DEFAULT false NOT NULL,
    deadline_at timestamp with time zone,
    unlisted_at timestamp with time zone,
    gone_at timestamp with time zone,
    withheld_at timestamp with time zone,
    altered boolean DEFAULT false,
    odd bytea,
    odd_run text,
    not_yet_at timestamp with time zone,
    CONSTRAINT activity_ledger_altered_check CHECK ((altered IS NOT NULL))
);
CREATE TABLE sync.erased_entities (
    entity_id uuid NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    messages boolean DEFAULT false NOT NULL
);
CREATE TABLE sync.erased_phones (
    digest bytea NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
CREATE TABLE sync.erasures (
    activity_id uuid NOT NULL,
    reason text NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    "values" bigint NOT NULL,
    responses bigint NOT NULL,
    payloads bigint NOT NULL,
    CONSTRAINT erasures_reason_check CHECK ((reason = ANY (ARRAY['expired'::text, 'unregistered'::text, 'request'::text, 'messages'::text, 'retention'::text])))
);
CREATE TABLE sync.grant_versions (
    applied boolean DEFAULT true NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT grant_versions_applied_check CHECK (applied)
);
CREATE TABLE sync.quarantine (
    id bigint NOT NULL,
    activity_id text,
    source text NOT NULL,
    subject text NOT NULL,
    day date,
    reason text NOT NULL,
    payload bytea,
    attempts integer DEFAULT 1 NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    accepted_at timestamp with time zone,
    accepted_by text,
    accepted_because text,
    CONSTRAINT quarantine_source_check CHECK ((source = ANY (ARRAY['list'::text, 'details'::text])))
);
ALTER TABLE ONLY sync.quarantine ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE sync.quarantine ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sync.quarantine_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE sync.run_changes (
    run_id text NOT NULL,
    activity_id text NOT NULL,
    change text NOT NULL,
    fields text[],
    recorded_at timestamp with time zone NOT NULL
);
CREATE TABLE sync.schema_migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    digest text
);
CREATE VIEW sync.todo AS
 SELECT activity_id,
    day,
    reason
   FROM sync.todo_of('-infinity'::date, 'infinity'::date, now(), (now() - '7 days'::interval)) todo_of(activity_id, day, reason);
INSERT INTO analytics.activities VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', '2026-03-31', '2026-03-30', '2026-03-01', 7, 'AT_002', 'share details', 'Share details', 'OUT', 'from us', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'ACCEPTED', 'approved in whole or in part', false, 'share', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, true, '2026-03-31 07:31:58.224+00', '2026-04-03 07:31:58.224+00', true, NULL, '2026-03-31 07:31:58.224+00', '2026-03-31 07:31:58.224+00', '2026-04-15 07:31:58.224+00', '2026-04-03 07:31:58.224+00', 'HOURS', 72, 'UTC', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.986318+00', NULL, NULL, NULL, '2026-04-03'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', '2026-03-31', '2026-03-30', '2026-03-01', 9, 'AT_004', 'authorization request', 'Authorization request', 'IN', 'from us', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'COMPLETED', 'finalised by both', true, 'accepted', 'us', NULL, '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-03-30', '2026-04-01', 2, 17.01885111111111, true, '2026-04-01 03:03:53.856+00', '2026-04-01', 17.211493611111113, true, '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', true, NULL, '2026-03-31 09:51:12.479+00', '2026-04-01 03:03:53.856+00', '2026-04-02 09:51:12.479+00', '2026-06-30 02:52:20.343+00', 'DAYS', 90, 'UTC', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990324+00', NULL, NULL, NULL, '2026-06-30'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', '2026-03-31', '2026-03-30', '2026-03-01', 14, 'AT_004', 'authorization request', 'Authorization request', 'IN', 'from us', '21a08732-34a1-4730-b3d8-f42e7042deb2', 'ACCEPTED', 'approved in whole or in part', false, 'accepted', 'us', NULL, '2026-03-31 16:41:11.315+00', '2026-03-31', '2026-03-30', '2026-03-01', 16, 1.9272061111111112, false, NULL, NULL, NULL, true, '2026-03-31 16:41:11.315+00', '2026-04-15 16:41:11.315+00', true, NULL, '2026-03-31 14:45:33.373+00', '2026-03-31 16:41:11.315+00', '2026-04-01 14:45:33.373+00', '2026-04-15 16:41:11.315+00', 'DAYS', 15, 'America/Santiago', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.988846+00', NULL, NULL, NULL, '2026-04-15'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', '2026-03-31', '2026-03-30', '2026-03-01', 14, 'AT_001', 'request details', 'Request details', 'OUT', 'to us', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'ACCEPTED', 'approved in whole or in part', false, 'accepted', 'them', NULL, '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-03-30', '2026-04-01', 1, 10.919529444444443, false, NULL, NULL, NULL, true, '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', true, NULL, '2026-03-31 14:21:52.036+00', '2026-04-01 01:17:02.342+00', '2026-04-01 02:21:52.036+00', '2026-05-01 01:17:02.342+00', 'DAYS', 30, 'America/Santiago', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989833+00', NULL, NULL, NULL, '2026-05-01'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', '2026-03-31', '2026-03-30', '2026-03-01', 17, 'AT_004', 'authorization request', 'Authorization request', 'IN', 'from us', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'ACTION_REQUIRED', 'received, to be answered', false, 'pending', NULL, 'us', NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, NULL, false, NULL, '2026-03-31 17:43:59.893+00', '2026-03-31 17:43:59.893+00', '2026-04-07 17:43:59.893+00', NULL, 'DAYS', 30, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989253+00', NULL, NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', '2026-03-31', '2026-03-30', '2026-03-01', 11, 'AT_001', 'request details', 'Request details', 'OUT', 'to us', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'SENT', 'sent, not answered yet', false, 'pending', NULL, 'them', NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, NULL, false, NULL, '2026-03-31 11:13:53.312+00', '2026-03-31 11:13:53.312+00', '2026-04-05 11:13:53.312+00', NULL, 'DAYS', 30, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990694+00', NULL, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', '2026-03-30', '2026-03-30', '2026-03-01', 15, 'AT_001', 'request details', 'Request details', 'OUT', 'to us', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'SENT', 'sent, not answered yet', false, 'pending', NULL, 'them', NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, NULL, false, NULL, '2026-03-30 15:08:46.678+00', '2026-03-30 15:08:46.678+00', '2026-04-14 15:08:46.678+00', NULL, 'DAYS', 30, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990592+00', NULL, NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', '2026-03-31', '2026-03-30', '2026-03-01', 6, 'AT_002', 'share details', 'Share details', 'OUT', 'from us', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'ACCEPTED', 'approved in whole or in part', false, 'share', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, true, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', true, NULL, '2026-03-31 06:26:40.983+00', '2026-03-31 06:26:40.983+00', '2026-04-15 06:26:40.983+00', '2026-04-30 06:26:40.983+00', 'DAYS', 30, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.98969+00', NULL, NULL, NULL, '2026-04-30'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', '2026-03-30', '2026-03-30', '2026-03-01', 10, 'AT_001', 'request details', 'Request details', 'IN', 'from us', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'COMPLETED', 'finalised by both', true, 'accepted', 'us', NULL, '2026-03-30 18:45:22.52+00', '2026-03-30', '2026-03-30', '2026-03-01', 18, 7.990431666666667, true, '2026-03-31 20:23:58.909+00', '2026-03-31', 33.633873055555554, true, '2026-03-30 18:45:22.52+00', '2026-04-06 18:45:22.52+00', true, NULL, '2026-03-30 10:45:56.966+00', '2026-03-31 20:23:58.909+00', '2026-03-30 22:45:56.966+00', '2026-04-06 18:45:22.52+00', 'DAYS', 7, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989393+00', NULL, NULL, NULL, '2026-04-06'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', '2026-03-31', '2026-03-30', '2026-03-01', 8, 'AT_004', 'authorization request', 'Authorization request', 'IN', 'from us', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'ACCEPTED', 'approved in whole or in part', false, 'accepted', 'us', NULL, '2026-03-31 09:52:21.966+00', '2026-03-31', '2026-03-30', '2026-03-01', 9, 1.718126111111111, false, NULL, NULL, NULL, true, '2026-03-31 09:52:21.966+00', '2026-04-03 09:52:21.966+00', true, NULL, '2026-03-31 08:09:16.712+00', '2026-03-31 09:52:21.966+00', '2026-04-07 08:09:16.712+00', '2026-04-03 09:52:21.966+00', 'HOURS', 72, 'UTC', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989558+00', NULL, NULL, NULL, '2026-04-03'),
	('153f06ac-451a-4181-8fe4-579973801721', '2026-03-29', '2026-03-23', '2026-03-01', 16, 'AT_002', 'share details', NULL, 'OUT', 'from us', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'COMPLETED', 'finalised by both', true, 'share', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, true, '2026-03-29 16:08:53.992+00', '9999-12-31 00:00:00+00', false, NULL, '2026-03-29 16:08:53.992+00', NULL, NULL, NULL, NULL, NULL, 'America/Lima', '2026-11-28 12:42:25.926798+00', NULL, NULL, NULL, NULL, '9999-12-31'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', '2026-03-30', '2026-03-30', '2026-03-01', 2, 'AT_004', 'authorization request', 'Authorization request', 'OUT', 'to us', 'cf427f2d-278e-462d-9d37-a1ae246f2112', 'SENT', 'sent, not answered yet', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false, NULL, NULL, false, NULL, '2026-03-30 02:26:39.965+00', '2026-03-30 02:26:39.965+00', '2026-04-04 02:26:39.965+00', NULL, 'DAYS', 90, 'America/Lima', '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990197+00', '2026-11-28 12:42:26.506893+00', '2026-11-28 12:42:26.977198+00', NULL, NULL);
INSERT INTO analytics.codes VALUES
	('activity_type', 'AT_001', 'request details', NULL, NULL, NULL, NULL, NULL, NULL, 'receiver'),
	('activity_type', 'AT_002', 'share details', NULL, NULL, NULL, NULL, NULL, NULL, 'sender'),
	('activity_type', 'AT_003', 'swap details', NULL, NULL, NULL, NULL, NULL, NULL, 'both'),
	('activity_type', 'AT_004', 'authorization request', NULL, NULL, NULL, NULL, NULL, NULL, 'receiver'),
	('in_out_bound', 'IN', 'received', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('in_out_bound', 'OUT', 'sent', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('entity_type', 'INDIVIDUAL', 'individual', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('entity_type', 'BUSINESS', 'business', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_001', 'biometric face flow', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_002', 'structured values', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_003', 'images', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_004', 'values or images', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_005', 'values and images', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_001', 'identity', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_002', 'background', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_003', 'document', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_001', 'face authentication', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_002', 'identity trust', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_003', 'selfie', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_004', 'personal information', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_005', 'nationality', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_006', 'identity document', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_007', 'address', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_001', 'member since', 'RQ_002', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_002', 'score', 'RQ_002', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_003', 'score level', 'RQ_002', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_004', 'verification time', 'RQ_002', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_001', 'profile name', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_002', 'full name', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_003', 'surname', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_004', 'given names', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_005', 'birth date', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_006', 'gender', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_007', 'marital status', 'RQ_004', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_001', 'front image', 'RQ_006', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_002', 'back image', 'RQ_006', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_003', 'document information', 'RQ_006', NULL, NULL, NULL, NULL, NULL, NULL),
	('time_unit', 'HOURS', 'hours', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('time_unit', 'DAYS', 'days', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('status', 'SENT', 'sent, not answered yet', NULL, false, 'pending', false, NULL, NULL, NULL),
	('status', 'ACTION_REQUIRED', 'received, to be answered', NULL, false, 'pending', false, NULL, NULL, NULL),
	('status', 'ACCEPTED', 'approved in whole or in part', NULL, false, 'accepted', true, NULL, NULL, NULL),
	('status', 'COMPLETED', 'finalised by both', NULL, true, 'accepted', true, NULL, NULL, NULL),
	('status', 'DECLINED', 'refused', NULL, true, 'declined', false, NULL, NULL, NULL),
	('status', 'CANCELED', 'not answered in time', NULL, true, 'canceled', false, NULL, NULL, NULL),
	('status', 'EXPIRED', 'sharing period over', NULL, true, 'accepted', false, NULL, NULL, NULL),
	('scoring_level', 'POOR', 'poor: 300 to 499', NULL, NULL, NULL, NULL, 300, 499, NULL),
	('scoring_level', 'FAIR', 'fair: 500 to 649', NULL, NULL, NULL, NULL, 500, 649, NULL),
	('scoring_level', 'GOOD', 'good: 650 to 749', NULL, NULL, NULL, NULL, 650, 749, NULL),
	('scoring_level', 'EXCELLENT', 'excellent: 750 to 850', NULL, NULL, NULL, NULL, 750, 850, NULL),
	('scoring_level', 'EXCELENT', 'excellent: 750 to 850', NULL, NULL, NULL, NULL, 750, 850, NULL);
INSERT INTO analytics.items VALUES
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 3, 0, 'RQ_002', 'identity trust', 'IDT_001', 'member since', 'RTP_002', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 3, 0, 0, 0, true),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 3, 1, 'RQ_002', 'identity trust', 'IDT_002', 'score', 'RTP_002', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 3, 1, 0, 1, true),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 3, 2, 'RQ_002', 'identity trust', 'IDT_003', 'score level', 'RTP_002', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 3, 2, 0, 2, true),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 3, 3, 'RQ_002', 'identity trust', 'IDT_004', 'verification time', 'RTP_002', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 3, 3, 0, 3, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 0, 'RQ_002', 'identity trust', 'IDT_001', 'member since', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 2, 0, 2, 0, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 1, 'RQ_002', 'identity trust', 'IDT_002', 'score', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 2, 1, 2, 1, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 2, 'RQ_002', 'identity trust', 'IDT_003', 'score level', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 2, 2, 2, 2, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 0, 'RQ_002', 'identity trust', 'IDT_001', 'member since', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 1, 0, 1, 0, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 1, 'RQ_002', 'identity trust', 'IDT_002', 'score', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 1, 1, 1, 1, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 2, 'RQ_002', 'identity trust', 'IDT_003', 'score level', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 1, 2, 1, 2, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 3, 'RQ_002', 'identity trust', 'IDT_004', 'verification time', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 1, 3, 1, 3, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 0, 'RQ_006', 'identity document', 'IDC_001', 'front image', 'RTP_003', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 0, 0, 0, 0, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 1, 'RQ_006', 'identity document', 'IDC_002', 'back image', 'RTP_003', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 0, 1, 0, 1, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 2, 'RQ_006', 'identity document', 'IDC_003', 'document information', 'RTP_002', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 0, 2, 0, 2, true),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 0, 'RQ_006', 'identity document', 'IDC_001', 'front image', 'RTP_003', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-03-31 09:52:21.966+00', '2026-03-31', '2026-03-31 09:52:21.966+00', '2026-04-03 09:52:21.966+00', NULL, true, 'requested', 0, 0, 0, 0, true),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 1, 'RQ_006', 'identity document', 'IDC_002', 'back image', 'RTP_003', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-03-31 09:52:21.966+00', '2026-03-31', '2026-03-31 09:52:21.966+00', '2026-04-03 09:52:21.966+00', NULL, true, 'requested', 0, 1, 0, 1, true),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 0, 0, 'RQ_006', 'identity document', 'IDC_001', 'front image', NULL, '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, 0, NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 0, 'RQ_006', 'identity document', 'IDC_001', 'front image', NULL, '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'declined', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', NULL, NULL, NULL, false, 'requested', 1, 0, NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 1, 'RQ_006', 'identity document', 'IDC_002', 'back image', NULL, '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'declined', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', NULL, NULL, NULL, false, 'requested', 1, 1, NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 2, 'RQ_006', 'identity document', 'IDC_003', 'document information', NULL, '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'declined', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', NULL, NULL, NULL, false, 'requested', 1, 2, NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 0, 'RQ_002', 'identity trust', 'IDT_001', 'member since', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 2, 0, NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 1, 'RQ_002', 'identity trust', 'IDT_002', 'score', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 2, 1, NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 2, 'RQ_002', 'identity trust', 'IDT_003', 'score level', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 2, 2, NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 3, 'RQ_002', 'identity trust', 'IDT_004', 'verification time', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 2, 3, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 0, 'RQ_004', 'personal information', 'PIF_001', 'profile name', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, 0, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 1, 'RQ_004', 'personal information', 'PIF_002', 'full name', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, 1, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 2, 'RQ_004', 'personal information', 'PIF_003', 'surname', NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, 2, NULL, NULL, NULL);
INSERT INTO analytics.requirements VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 0, 'RQ_003', 'selfie', 'RTP_003', 'RQC_001', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 07:31:58.224+00', '2026-04-03 07:31:58.224+00', NULL, true, 'requested', 0, 0, NULL, true),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 1, 'RQ_005', 'nationality', 'RTP_002', 'RQC_002', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 07:31:58.224+00', '2026-04-03 07:31:58.224+00', NULL, true, 'requested', 1, 1, NULL, true),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 3, 'RQ_002', 'identity trust', 'RTP_002', 'RQC_001', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 3, 0, NULL, true),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 2, 'RQ_007', 'address', 'RTP_004', 'RQC_002', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 02:52:20.343+00', '2026-06-30 02:52:20.343+00', NULL, true, 'requested', 2, 1, NULL, true),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 0, 'RQ_007', 'address', 'RTP_004', 'RQC_002', '21a08732-34a1-4730-b3d8-f42e7042deb2', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-03-31 16:41:11.315+00', '2026-03-31', '2026-03-31 16:41:11.315+00', '2026-04-15 16:41:11.315+00', NULL, true, 'requested', 0, 0, NULL, true),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 0, 'RQ_001', 'face authentication', 'RTP_001', 'RQC_001', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, true, 'accepted', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', '2026-03-30 18:45:22.52+00', '2026-04-06 18:45:22.52+00', NULL, true, 'requested', 0, 0, NULL, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 0, 'RQ_001', 'face authentication', 'RTP_001', 'RQC_001', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 0, 0, NULL, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 'RQ_002', 'identity trust', 'RTP_002', 'RQC_001', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 2, 2, NULL, true),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 1, 'RQ_003', 'selfie', 'RTP_003', 'RQC_001', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_002', 'OUT', 'from us', '2026-03-31', '2026-03-01', false, true, 'share', NULL, NULL, NULL, '2026-03-31 06:26:40.983+00', '2026-04-30 06:26:40.983+00', NULL, true, 'requested', 1, 1, NULL, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 'RQ_002', 'identity trust', 'RTP_002', 'RQC_001', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 1, 1, NULL, true),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 'RQ_006', 'identity document', 'RTP_005', 'RQC_003', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'them', '2026-04-01 01:17:02.342+00', '2026-04-01', '2026-04-01 01:17:02.342+00', '2026-05-01 01:17:02.342+00', NULL, true, 'requested', 0, 0, NULL, true),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 'RQ_006', 'identity document', 'RTP_005', 'RQC_003', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, true, 'accepted', 'us', '2026-03-31 09:52:21.966+00', '2026-03-31', '2026-03-31 09:52:21.966+00', '2026-04-03 09:52:21.966+00', NULL, true, 'requested', 0, 0, NULL, true),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 1, 'RQ_001', 'face authentication', NULL, NULL, '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 1, NULL, NULL, NULL),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 0, 'RQ_006', 'identity document', NULL, NULL, '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 'RQ_005', 'nationality', NULL, NULL, '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'declined', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', NULL, NULL, NULL, false, 'requested', 0, NULL, 0, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 'RQ_006', 'identity document', NULL, NULL, '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'AT_004', 'IN', 'from us', '2026-03-31', '2026-03-01', true, false, 'declined', 'us', '2026-04-01 02:52:20.343+00', '2026-04-01', NULL, NULL, NULL, false, 'requested', 1, NULL, 1, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 'RQ_002', 'identity trust', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 2, NULL, 1, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 1, 'RQ_005', 'nationality', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 1, NULL, 0, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 3, 'RQ_007', 'address', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'IN', 'from us', '2026-03-30', '2026-03-01', true, false, 'declined', 'us', '2026-03-30 18:45:22.52+00', '2026-03-30', NULL, NULL, NULL, false, 'requested', 3, NULL, 2, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 1, 'RQ_003', 'selfie', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 1, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 'RQ_004', 'personal information', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 1, 'RQ_007', 'address', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 1, NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 0, 'RQ_007', 'address', NULL, NULL, '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'AT_001', 'OUT', 'to us', '2026-03-31', '2026-03-01', true, false, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, NULL, NULL, NULL),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 1, 'RQ_005', 'nationality', NULL, NULL, 'cf427f2d-278e-462d-9d37-a1ae246f2112', 'AT_004', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'unanswered', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 1, NULL, NULL, NULL),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 0, 'RQ_007', 'address', NULL, NULL, 'cf427f2d-278e-462d-9d37-a1ae246f2112', 'AT_004', 'OUT', 'to us', '2026-03-30', '2026-03-01', true, false, 'unanswered', NULL, NULL, NULL, NULL, NULL, NULL, false, 'requested', 0, NULL, NULL, NULL);
INSERT INTO analytics.status_changes VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 0, 'ACCEPTED', 'approved in whole or in part', '2026-03-31 07:31:58.224+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_002', 'OUT', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 2, 'COMPLETED', 'finalised by both', '2026-04-01 03:03:53.856+00', '2026-04-01', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_004', 'IN', '19bf444c-9659-4bdc-a080-cb6ea0acd20e'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 'ACCEPTED', 'approved in whole or in part', '2026-04-01 02:52:20.343+00', '2026-04-01', '2026-04-01 03:03:53.856+00', '2026-04-01', 'COMPLETED', 0.19264250000000002, '2026-03-31', 'AT_004', 'IN', '19bf444c-9659-4bdc-a080-cb6ea0acd20e'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 'ACTION_REQUIRED', 'received, to be answered', '2026-03-31 09:51:12.479+00', '2026-03-31', '2026-04-01 02:52:20.343+00', '2026-04-01', 'ACCEPTED', 17.01885111111111, '2026-03-31', 'AT_004', 'IN', '19bf444c-9659-4bdc-a080-cb6ea0acd20e'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 1, 'ACCEPTED', 'approved in whole or in part', '2026-03-31 16:41:11.315+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_004', 'IN', '21a08732-34a1-4730-b3d8-f42e7042deb2'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 0, 'ACTION_REQUIRED', 'received, to be answered', '2026-03-31 14:45:33.373+00', '2026-03-31', '2026-03-31 16:41:11.315+00', '2026-03-31', 'ACCEPTED', 1.9272061111111112, '2026-03-31', 'AT_004', 'IN', '21a08732-34a1-4730-b3d8-f42e7042deb2'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 'ACCEPTED', 'approved in whole or in part', '2026-04-01 01:17:02.342+00', '2026-04-01', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_001', 'OUT', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 'SENT', 'sent, not answered yet', '2026-03-31 14:21:52.036+00', '2026-03-31', '2026-04-01 01:17:02.342+00', '2026-04-01', 'ACCEPTED', 10.919529444444443, '2026-03-31', 'AT_001', 'OUT', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 0, 'ACTION_REQUIRED', 'received, to be answered', '2026-03-31 17:43:59.893+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_004', 'IN', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6'),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 0, 'SENT', 'sent, not answered yet', '2026-03-31 11:13:53.312+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_001', 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 'SENT', 'sent, not answered yet', '2026-03-30 15:08:46.678+00', '2026-03-30', NULL, NULL, NULL, NULL, '2026-03-30', 'AT_001', 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 0, 'ACCEPTED', 'approved in whole or in part', '2026-03-31 06:26:40.983+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_002', 'OUT', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 'COMPLETED', 'finalised by both', '2026-03-31 20:23:58.909+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-30', 'AT_001', 'IN', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 1, 'ACCEPTED', 'approved in whole or in part', '2026-03-30 18:45:22.52+00', '2026-03-30', '2026-03-31 20:23:58.909+00', '2026-03-31', 'COMPLETED', 25.64344138888889, '2026-03-30', 'AT_001', 'IN', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 0, 'ACTION_REQUIRED', 'received, to be answered', '2026-03-30 10:45:56.966+00', '2026-03-30', '2026-03-30 18:45:22.52+00', '2026-03-30', 'ACCEPTED', 7.990431666666667, '2026-03-30', 'AT_001', 'IN', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 1, 'ACCEPTED', 'approved in whole or in part', '2026-03-31 09:52:21.966+00', '2026-03-31', NULL, NULL, NULL, NULL, '2026-03-31', 'AT_004', 'IN', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 'ACTION_REQUIRED', 'received, to be answered', '2026-03-31 08:09:16.712+00', '2026-03-31', '2026-03-31 09:52:21.966+00', '2026-03-31', 'ACCEPTED', 1.718126111111111, '2026-03-31', 'AT_004', 'IN', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7'),
	('153f06ac-451a-4181-8fe4-579973801721', 0, 'COMPLETED', 'finalised by both', '2026-03-29 16:08:53.992+00', '2026-03-29', NULL, NULL, NULL, NULL, '2026-03-29', 'AT_002', 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 0, 'SENT', 'sent, not answered yet', '2026-03-30 02:26:39.965+00', '2026-03-30', '2026-11-28 12:42:26.506893+00', '2026-11-28', NULL, 5842.262928303611, '2026-03-30', 'AT_004', 'OUT', 'cf427f2d-278e-462d-9d37-a1ae246f2112');
INSERT INTO landing.activity_details VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', '2026-11-28 12:42:25.986318+00', '2026-11-28 12:42:25.986318+00', '\x72a8fbf30f8b9a0f4fee6ca385495ad3', '\x7b226964223a2264363162366363632d303133302d343039302d613661332d393437616136613631323732222c2274797065223a2241545f303032222c22747970655f6e616d65223a2253686172652064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a224f6e626f617264696e67205c2234363739365c223a2073656c666965202620646f63756d656e745c6e5468616e6b20796f7521222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a2241637469766974792063726561746564222c2274696d655f7a6f6e65223a22555443222c2276616c69645f756e74696c223a313737363233383331383232342c22617474656e6465645f6174223a6e756c6c2c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313737353230313531383232342c22637265617465645f6174223a313737343934323331383232342c22757064617465645f6174223a313737343934323331383232342c22657870697265735f696e223a7b2274696d655f756e6974223a22484f555253222c22616d6f756e74223a37327d2c22656e74697479223a7b226964223a2230656330636264392d663165342d346138342d613833302d666263613334346564646136222c226e616d65223a225ac3bc72696368204c7464612e222c22636966636f6465223a2235623830643937622d343562382d346239362d616331662d386239303934356136643739222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30656330636264392d663165342d346138342d613833302d6662636133343465646461362e706e67222c2273636f7265223a3736332c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657232227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657232227d5d2c22637265617465645f6174223a313735383037393937333739382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c2274797065223a225254505f303033222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22696d616765223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d2c2274616b656e5f6174223a313737343934323235383232347d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a7b226e6174696f6e616c6974696573223a5b7b22636f756e7472795f636f6465223a22434f222c2273696e63655f6269727468223a747275657d5d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315430373a33313a35382e3232345a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2232626233333531312d386433372d343530652d623039622d393338616664373930346461227d5d7d'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', '2026-11-28 12:42:25.990324+00', '2026-11-28 12:42:25.990324+00', '\xc7018948195298f6127b99069ae784b6', '\x7b226964223a2231633338313134612d643538352d346630622d613136332d376132303737663234316164222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2037343838313a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a22434f4d504c45544544222c226e6f74696669636174696f6e5f6d657373616765223a22536861726564206173207265717565737465642e222c2274696d655f7a6f6e65223a22555443222c2276616c69645f756e74696c223a313737353132333437323437392c22617474656e6465645f6174223a313737353031313934303334332c22636f6d706c657465645f6174223a313737353031323633333835362c22657870697265735f6174223a313738323738373934303334332c22637265617465645f6174223a313737343935303637323437392c22757064617465645f6174223a313737353031323633333835362c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a39307d2c22656e74697479223a7b226964223a2231396266343434632d393635392d346264632d613038302d636236656130616364323065222c226e616d65223a22c3857361204fe280994e65696c6c222c22636966636f6465223a2235356235316437382d366532662d343130392d386435362d653935306465636632626435222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f31396266343434632d393635392d346264632d613038302d6362366561306163643230652e706e67222c2273636f7265223a3636342c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657237227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657237227d5d2c22637265617465645f6174223a313734383831313433303738302c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d2c7b22636f6465223a224944545f303034227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303032222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944545f303031222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226d656d6265725f73696e6365223a313734383831313433303738307d7d7d2c7b22636f6465223a224944545f303032222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2273636f7265223a3636342c2272616e6765223a7b2266726f6d223a3330302c22746f223a3835307d7d7d7d2c7b22636f6465223a224944545f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226c6576656c223a22474f4f44227d7d7d2c7b22636f6465223a224944545f303034222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2276657269666965645f6174223a313737343936373732393936367d7d7d5d7d2c7b22636f6465223a2252515f303037222c2274797065223a225254505f303034222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a7b22737472656574223a2243616c6c65204265726cc3ad6e222c226e756d626572223a22333737222c2263697479223a224172657175697061222c226c6f636174696f6e223a7b226c61746974756465223a2d31322e3033383637342c226c6f6e676974756465223a2d37372e3034323739337d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315430393a35313a31322e3437395a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2262643631323263302d386431612d343431302d383633372d313636363535633839363561227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30342d30315430323a35323a32302e3334335a222c226d657373616765223a22536861726564206173207265717565737465642e222c22687474705f726571756573745f6964223a2231633961616233642d326133632d343336332d393530352d346137626638663731373831227d2c7b22737461747573223a22434f4d504c45544544222c22646174655f74696d65223a22323032362d30342d30315430333a30333a35332e3835365a222c226d657373616765223a2246696e616c6973656420627920626f7468207369646573222c22687474705f726571756573745f6964223a2238633262323639312d306438392d343235392d623433322d363133323534386133396562227d5d7d'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', '2026-11-28 12:42:25.988846+00', '2026-11-28 12:42:25.988846+00', '\xc8a88d88d07462b1a78e214acce184db', '\x7b226964223a2232643839663736642d366535392d343064612d386435382d336534623164363762363336222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c2276616c69645f756e74696c223a313737353035343733333337332c22617474656e6465645f6174223a313737343937353237313331352c22657870697265735f6174223a313737363237313237313331352c22637265617465645f6174223a313737343936383333333337332c22757064617465645f6174223a313737343937353237313331352c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a31357d2c22656e74697479223a7b226964223a2232316130383733322d333461312d343733302d623364382d663432653730343264656232222c226e616d65223a22e0a485e0a4b0e0a58de0a49ce0a581e0a4a820e0a4aae0a49fe0a587e0a4b2222c22636966636f6465223a2230653464643863322d346335332d346163312d613662622d393065626663613434633933222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f32316130383733322d333461312d343733302d623364382d6634326537303432646562322e706e67222c2273636f7265223a3730322c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313736343537393332333334362c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c2274797065223a225254505f303034222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a7b22737472656574223a224a722e206465206c6120556e69c3b36e222c226e756d626572223a22373336222c2263697479223a224c696d61222c226c6f636174696f6e223a7b226c61746974756465223a2d31322e3034323737342c226c6f6e676974756465223a2d37372e3034323739337d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315431343a34353a33332e3337335a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2261356632376137622d633932652d343431352d386465642d313436393733323761316434227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315431363a34313a31312e3331355a222c226d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c22687474705f726571756573745f6964223a2265396637373163392d303836642d343963382d393963342d343234376264366664323764227d5d7d'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', '2026-11-28 12:42:25.989833+00', '2026-11-28 12:42:25.989833+00', '\x389d589b2acd8189b7b3bade3ea9917c', '\x7b226964223a2235626231316266312d386362612d343830312d623130362d333762623138363638653862222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a2241636365707465642c206865726520796f75206172652e222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c2276616c69645f756e74696c223a313737353031303131323033362c22617474656e6465645f6174223a313737353030363232323334322c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313737373539383232323334322c22637265617465645f6174223a313737343936363931323033362c22757064617465645f6174223a313737353030363232323334322c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2261356461356265312d336537342d343862352d383637382d356663316435633632643933222c226e616d65223a224d6172c3ad61206465206c61204372757a222c22636966636f6465223a2232353666336264632d326364652d343263612d626139632d653933383961623939666261222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f61356461356265312d336537342d343862352d383637382d3566633164356336326439332e706e67222c2273636f7265223a3833322c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313636383038373937343330372c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d2c7b22636f6465223a224944545f303034227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2274797065223a2250415353504f5254222c226e756d626572223a223832373833303430222c2269737375696e675f636f756e747279223a224252227d7d7d5d7d2c7b22636f6465223a2252515f303032222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944545f303031222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226d656d6265725f73696e6365223a313636383038373937343330377d7d7d2c7b22636f6465223a224944545f303032222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2273636f7265223a3533322c2272616e6765223a7b2266726f6d223a3330302c22746f223a3835307d7d7d7d2c7b22636f6465223a224944545f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226c6576656c223a2246414952227d7d7d2c7b22636f6465223a224944545f303034222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2276657269666965645f6174223a313737343933373833393330327d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33315431343a32313a35322e3033365a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2233336138383737302d613933332d346435612d623339652d363466303231383836303365227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30342d30315430313a31373a30322e3334325a222c226d657373616765223a2241636365707465642c206865726520796f75206172652e222c22687474705f726571756573745f6964223a2238633165646362312d653139622d343663612d616262612d386562646361636564633030227d5d7d'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', '2026-11-28 12:42:25.989253+00', '2026-11-28 12:42:25.989253+00', '\x5eb9d1d35d103e150007de4e530a061f', '\x7b226964223a2237386261653061372d656534352d343564342d613932622d646661366334326632363737222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a224f6e626f617264696e67205c2233393730345c223a2073656c666965202620646f63756d656e745c6e5468616e6b20796f7521222c22737461747573223a22414354494f4e5f5245515549524544222c226e6f74696669636174696f6e5f6d657373616765223a6e756c6c2c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737353538333833393839332c22617474656e6465645f6174223a6e756c6c2c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a6e756c6c2c22637265617465645f6174223a313737343937393033393839332c22757064617465645f6174223a313737343937393033393839332c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2230656330636264392d663165342d346138342d613833302d666263613334346564646136222c226e616d65223a225ac3bc72696368204c7464612e222c22636966636f6465223a2235623830643937622d343562382d346239362d616331662d386239303934356136643739222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30656330636264392d663165342d346138342d613833302d6662636133343465646461362e706e67222c2273636f7265223a3736332c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657232227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657232227d5d2c22637265617465645f6174223a313735383037393937333739382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315431373a34333a35392e3839335a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2239663231313936642d303464622d343032382d623530322d383636393161623234303336227d5d7d'),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', '2026-11-28 12:42:25.990694+00', '2026-11-28 12:42:25.990694+00', '\x08d28f20faaa10e8e63148c73fcefe3e', '\x7b226964223a2262666662316336632d623231622d346532302d613765652d303630323235376234373566222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a22d98ad8b1d8acd98920d985d8b4d8a7d8b1d983d8a920d8a8d98ad8a7d986d8a7d8aad98320d984d8a5d8aad985d8a7d98520d8a7d984d8b7d984d8a8203136363833222c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737353338373633333331322c22637265617465645f6174223a313737343935353633333331322c22757064617465645f6174223a313737343935353633333331322c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33315431313a31333a35332e3331325a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2234303130386464662d303930302d346235302d396330372d626332653937306230396336227d5d7d'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', '2026-11-28 12:42:25.990592+00', '2026-11-28 12:42:25.990592+00', '\x0136fe6beaae6d27208bfab85153907b', '\x7b226964223a2263323562643239392d376538332d346239372d386464322d613138326234386538633065222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2034353439383a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a2253454e54222c226e6f74696669636174696f6e5f6d657373616765223a6e756c6c2c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737363137393332363637382c22617474656e6465645f6174223a6e756c6c2c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a6e756c6c2c22637265617465645f6174223a313737343838333332363637382c22757064617465645f6174223a313737343838333332363637382c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303034222c226974656d73223a5b7b22636f6465223a225049465f303031227d2c7b22636f6465223a225049465f303032227d2c7b22636f6465223a225049465f303033227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33305431353a30383a34362e3637385a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2261303164306532352d366430622d343866662d393561322d353832353162653330393030227d5d7d'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', '2026-11-28 12:42:25.989393+00', '2026-11-28 12:42:25.989393+00', '\x490b7b0866cb888c7174bc75397710af', '\x7b226964223a2264393865336634342d663839662d346566632d393464322d636465666365396337353038222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a22434f4d504c45544544222c226e6f74696669636174696f6e5f6d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737343931303735363936362c22617474656e6465645f6174223a313737343839363332323532302c22636f6d706c657465645f6174223a313737343938383633383930392c22657870697265735f6174223a313737353530313132323532302c22637265617465645f6174223a313737343836373535363936362c22757064617465645f6174223a313737343938383633383930392c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a377d2c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d2c7b22636f6465223a224944545f303034227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393331393030303030303030303030312c2276657269666965645f6174223a313737343839363332323532307d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d2c7b22636f6465223a224944545f303034227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33305431303a34353a35362e3936365a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2230636364323736662d383265642d343235362d613336632d363566613963383438613134227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33305431383a34353a32322e3532305a222c226d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c22687474705f726571756573745f6964223a2262323038373861342d393638612d343835312d623536362d376437323333383561663661227d2c7b22737461747573223a22434f4d504c45544544222c22646174655f74696d65223a22323032362d30332d33315432303a32333a35382e3930395a222c226d657373616765223a2246696e616c6973656420627920626f7468207369646573222c22687474705f726571756573745f6964223a2239633035653639342d663239322d346432372d623634382d646663633736633336366138227d5d7d'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', '2026-11-28 12:42:25.989558+00', '2026-11-28 12:42:25.989558+00', '\x3200192439f2f57ef3a6988cade323db', '\x7b226964223a2265396465303964332d653263312d346666342d393434652d653330376639316238343239222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a224f6e626f617264696e67205c2237333937315c223a2073656c666965202620646f63756d656e745c6e5468616e6b20796f7521222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a22536861726564206173207265717565737465642e222c2274696d655f7a6f6e65223a22555443222c2276616c69645f756e74696c223a313737353534393335363731322c22617474656e6465645f6174223a313737343935303734313936362c22657870697265735f6174223a313737353230393934313936362c22637265617465645f6174223a313737343934343535363731322c22757064617465645f6174223a313737343935303734313936362c22657870697265735f696e223a7b2274696d655f756e6974223a22484f555253222c22616d6f756e74223a37327d2c22656e74697479223a7b226964223a2262656335656338372d326663312d343236372d623966642d336131376162623364656637222c226e616d65223a2249c3b1616b692056c3a1737175657a222c22636966636f6465223a2263663262326137632d663637392d343938622d386561332d333038306233363631316366222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f62656335656338372d326663312d343236372d623966642d3361313761626233646566372e706e67222c2273636f7265223a3832382c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635343038313539393733342c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315430383a30393a31362e3731325a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2232396665396332632d363461622d346335302d626138362d303066616363643861323933227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315430393a35323a32312e3936365a222c226d657373616765223a22536861726564206173207265717565737465642e222c22687474705f726571756573745f6964223a2266353730363336642d636462352d346263632d623461352d343631633432663036396563227d5d7d'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', '2026-11-28 12:42:25.98969+00', '2026-11-28 12:42:26.588539+00', '\x1872df673667146bd8e5bccc2e63ff27', '\x7b226964223a2263663234336131342d306438652d343832362d626232622d313863386231643136383462222c2274797065223a2241545f303032222c22747970655f6e616d65223a2253686172652064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2032383832303a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a2241637469766974792063726561746564222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737363233343430303938332c22657870697265735f6174223a313737373533303430303938332c22637265617465645f6174223a313737343933383430303938332c22757064617465645f6174223a313737343933383430303938332c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2261356461356265312d336537342d343862352d383637382d356663316435633632643933222c226e616d65223a224d6172c3ad61206465206c61204372757a222c22636966636f6465223a2232353666336264632d326364652d343263612d626139632d653933383961623939666261222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f61356461356265312d336537342d343862352d383637382d3566633164356336326439332e706e67222c2273636f7265223a3833322c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313636383038373937343330372c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393332362c2276657269666965645f6174223a313737343933383430303938337d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c2274797065223a225254505f303033222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22696d616765223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d2c2274616b656e5f6174223a313737343933383334303938337d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944545f303031222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226d656d6265725f73696e6365223a313636383038373937343330377d7d7d2c7b22636f6465223a224944545f303032222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2273636f7265223a3533322c2272616e6765223a7b2266726f6d223a3330302c22746f223a3835307d7d7d7d2c7b22636f6465223a224944545f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226c6576656c223a2246414952227d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315430363a32363a34302e3938335a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2266306334343437372d356265342d343134352d386330612d623734323339363332626463227d5d7d'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', '2026-11-28 12:42:25.990197+00', '2026-11-28 12:42:25.990197+00', '\x43653fac5eb4f9e14312982ddda5779f', '\x7b226964223a2231323561356635362d333830632d343031352d613064302d303339376138653937303964222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a2253454e54222c226e6f74696669636174696f6e5f6d657373616765223a6e756c6c2c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737353236393539393936352c22617474656e6465645f6174223a6e756c6c2c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a6e756c6c2c22637265617465645f6174223a313737343833373539393936352c22757064617465645f6174223a313737343833373539393936352c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a39307d2c22656e74697479223a7b226964223a2263663432376632642d323738652d343632642d396433372d613161653234366632313132222c226e616d65223a6e756c6c2c22636966636f6465223a2239663262666237332d383065662d343364662d613632622d346434633566616637336562222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a6e756c6c2c2273636f72696e675f6c6576656c223a6e756c6c2c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313731303430353633383736302c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33305430323a32363a33392e3936355a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2264663032666264612d383665332d346238382d386266342d396462333632646165343830227d5d7d');
INSERT INTO landing.activity_list_rows VALUES
	('153f06ac-451a-4181-8fe4-579973801721', '2026-11-28 12:42:25.926798+00', '\xc8d4812813bd27e4e4424794f427db09', '\x7b226964223a2231353366303661632d343531612d343138312d386665342d353739393733383031373231222c2274797065223a2241545f303032222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343830303533333939327d'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', '2026-11-28 12:42:25.926798+00', '\x4f7c9248c0a2cce80622cd39bb364751', '\x7b226964223a2231633338313134612d643538352d346630622d613136332d376132303737663234316164222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2231396266343434632d393635392d346264632d613038302d636236656130616364323065222c226e616d65223a22c3857361204fe280994e65696c6c222c22636966636f6465223a2235356235316437382d366532662d343130392d386435362d653935306465636632626435222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f31396266343434632d393635392d346264632d613038302d6362366561306163643230652e706e67222c2273636f7265223a3636342c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657237227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657237227d5d2c22637265617465645f6174223a313734383831313433303738302c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22555443222c22637265617465645f6174223a313737343935303637323437397d'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', '2026-11-28 12:42:25.926798+00', '\xb83e75978173b518adda762c972702fd', '\x7b226964223a2232643839663736642d366535392d343064612d386435382d336534623164363762363336222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2232316130383733322d333461312d343733302d623364382d663432653730343264656232222c226e616d65223a22e0a485e0a4b0e0a58de0a49ce0a581e0a4a820e0a4aae0a49fe0a587e0a4b2222c22636966636f6465223a2230653464643863322d346335332d346163312d613662622d393065626663613434633933222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f32316130383733322d333461312d343733302d623364382d6634326537303432646562322e706e67222c2273636f7265223a3730322c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313736343537393332333334362c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c22637265617465645f6174223a313737343936383333333337337d'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', '2026-11-28 12:42:25.926798+00', '\xeeb2b8fcd37540e4ef0e58fa03eece28', '\x7b226964223a2235626231316266312d386362612d343830312d623130362d333762623138363638653862222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2261356461356265312d336537342d343862352d383637382d356663316435633632643933222c226e616d65223a224d6172c3ad61206465206c61204372757a222c22636966636f6465223a2232353666336264632d326364652d343263612d626139632d653933383961623939666261222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f61356461356265312d336537342d343862352d383637382d3566633164356336326439332e706e67222c2273636f7265223a3833322c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313636383038373937343330372c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c22637265617465645f6174223a313737343936363931323033367d'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', '2026-11-28 12:42:25.926798+00', '\xe4f6d4ff98cbd9604f81bb82450fb918', '\x7b226964223a2237386261653061372d656534352d343564342d613932622d646661366334326632363737222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2230656330636264392d663165342d346138342d613833302d666263613334346564646136222c226e616d65223a225ac3bc72696368204c7464612e222c22636966636f6465223a2235623830643937622d343562382d346239362d616331662d386239303934356136643739222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30656330636264392d663165342d346138342d613833302d6662636133343465646461362e706e67222c2273636f7265223a3736332c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657232227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657232227d5d2c22637265617465645f6174223a313735383037393937333739382c22756e72656769737465726564223a66616c73657d2c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343937393033393839337d'),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', '2026-11-28 12:42:25.926798+00', '\x0b946d3a5f17419de3364ddec73dc582', '\x7b226964223a2262666662316336632d623231622d346532302d613765652d303630323235376234373566222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343935353633333331327d'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', '2026-11-28 12:42:25.926798+00', '\xbb92a21bbe1bd698833e2ebede24a2e6', '\x7b226964223a2263323562643239392d376538332d346239372d386464322d613138326234386538633065222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343838333332363637387d'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', '2026-11-28 12:42:25.926798+00', '\x9dc16274e533e91bb019e3b216058256', '\x7b226964223a2263663234336131342d306438652d343832362d626232622d313863386231643136383462222c2274797065223a2241545f303032222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2261356461356265312d336537342d343862352d383637382d356663316435633632643933222c226e616d65223a224d6172c3ad61206465206c61204372757a222c22636966636f6465223a2232353666336264632d326364652d343263612d626139632d653933383961623939666261222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f61356461356265312d336537342d343862352d383637382d3566633164356336326439332e706e67222c2273636f7265223a3833322c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313636383038373937343330372c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343933383430303938337d'),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', '2026-11-28 12:42:25.926798+00', '\xdc4cc4d67a382d7a0dc4452a72e33ac1', '\x7b226964223a2264363162366363632d303133302d343039302d613661332d393437616136613631323732222c2274797065223a2241545f303032222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2230656330636264392d663165342d346138342d613833302d666263613334346564646136222c226e616d65223a225ac3bc72696368204c7464612e222c22636966636f6465223a2235623830643937622d343562382d346239362d616331662d386239303934356136643739222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30656330636264392d663165342d346138342d613833302d6662636133343465646461362e706e67222c2273636f7265223a3736332c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657232227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657232227d5d2c22637265617465645f6174223a313735383037393937333739382c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22555443222c22637265617465645f6174223a313737343934323331383232347d'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', '2026-11-28 12:42:25.926798+00', '\x9d8e1c30adaaf9bb1cdb584757f8f38e', '\x7b226964223a2264393865336634342d663839662d346566632d393464322d636465666365396337353038222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2235653263383762312d663065382d346462392d613066632d363463323435633164653834222c226e616d65223a22d094d0bcd0b8d182d180d0be20d09ad0bed0b2d0b0d0bbd0b5d0bdd0bad0be222c22636966636f6465223a2261656231373137362d623964352d343261382d613436342d396265343465323233303666222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3537322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657230227d5d2c22637265617465645f6174223a313731393236323335333230382c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343836373535363936367d'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', '2026-11-28 12:42:25.926798+00', '\xcb15eded87e2419aa00d82674b4d6a00', '\x7b226964223a2265396465303964332d653263312d346666342d393434652d653330376639316238343239222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2262656335656338372d326663312d343236372d623966642d336131376162623364656637222c226e616d65223a2249c3b1616b692056c3a1737175657a222c22636966636f6465223a2263663262326137632d663637392d343938622d386561332d333038306233363631316366222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f62656335656338372d326663312d343236372d623966642d3361313761626233646566372e706e67222c2273636f7265223a3832382c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635343038313539393733342c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22555443222c22637265617465645f6174223a313737343934343535363731327d'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', '2026-11-28 12:42:25.926798+00', '\x09edcad56247572446c78a8c81b85634', '\x7b226964223a2231323561356635362d333830632d343031352d613064302d303339376138653937303964222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2263663432376632642d323738652d343632642d396433372d613161653234366632313132222c226e616d65223a6e756c6c2c22636966636f6465223a2239663262666237332d383065662d343364662d613632622d346434633566616637336562222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a6e756c6c2c2273636f72696e675f6c6576656c223a6e756c6c2c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313731303430353633383736302c22756e72656769737465726564223a66616c73657d2c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343833373539393936357d');
INSERT INTO sync.activity_ledger VALUES
	('153f06ac-451a-4181-8fe4-579973801721', '2026-03-29', '\xfc2b97d1551caef85a97c3369544fa93', '2026-11-28 12:42:25.926798+00', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', '2026-03-31', '\x751dc297c1677d7b9dd46570eb17b611', '2026-11-28 12:42:25.926798+00', '\x751dc297c1677d7b9dd46570eb17b611', '\xa035f5fd4843fca91182b6bb1a0be21d', 3, '2026-11-28 12:42:25.986318+00', '2026-04-01 12:00:00.643816+00', false, '2026-04-03 07:31:58.224+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', '2026-03-31', '\x51b2884fbcccda4182ba7021e803a8a4', '2026-11-28 12:42:25.926798+00', '\x51b2884fbcccda4182ba7021e803a8a4', '\xe2c5bbb3903637797cc4990a3c37300c', 3, '2026-11-28 12:42:25.990324+00', '2026-04-01 12:00:00.647815+00', true, '2026-06-30 02:52:20.343+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', '2026-03-31', '\x7f036b062057b2880d2dc3761f02e0c7', '2026-11-28 12:42:25.926798+00', '\x7f036b062057b2880d2dc3761f02e0c7', '\xdd5f37fef7dfe6f998a29929b37b7724', 3, '2026-11-28 12:42:25.988846+00', '2026-04-01 12:00:00.646339+00', false, '2026-04-01 14:45:33.373+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', '2026-03-31', '\xea8dea7ece4a83097a4f4b1b2a76f632', '2026-11-28 12:42:25.926798+00', '\xea8dea7ece4a83097a4f4b1b2a76f632', '\xdbc492cdd24cd83a1a9387b88e239585', 3, '2026-11-28 12:42:25.989833+00', '2026-04-01 12:00:00.647324+00', false, '2026-05-01 01:17:02.342+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', '2026-03-31', '\x0add6a2b6f557f6ef9c5e7d092118864', '2026-11-28 12:42:25.926798+00', '\x0add6a2b6f557f6ef9c5e7d092118864', '\x2733a95033568d1870d3be7c6816aa88', 3, '2026-11-28 12:42:25.989253+00', '2026-04-01 12:00:00.646746+00', false, '2026-04-07 17:43:59.893+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', '2026-03-31', '\x0e27e73fe4eb93bceae01f0bc36d1827', '2026-11-28 12:42:25.926798+00', '\x0e27e73fe4eb93bceae01f0bc36d1827', '\x925b799b613db4851aa0145deb921164', 3, '2026-11-28 12:42:25.990694+00', '2026-04-01 12:00:00.648185+00', false, '2026-04-05 11:13:53.312+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', '2026-03-30', '\x911073e0e7569402503d282ccb7857e6', '2026-11-28 12:42:25.926798+00', '\x911073e0e7569402503d282ccb7857e6', '\x69eef0764482011d79dff202fda8da2d', 3, '2026-11-28 12:42:25.990592+00', '2026-04-01 12:00:00.648085+00', false, '2026-04-14 15:08:46.678+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', '2026-03-30', '\x4f731b5c314bbdd55aafd7729ee0df93', '2026-11-28 12:42:25.926798+00', '\x4f731b5c314bbdd55aafd7729ee0df93', '\x8cc8e88f70e1bc35bac36b79859b6e85', 3, '2026-11-28 12:42:25.989393+00', '2026-04-01 12:00:00.646885+00', true, '2026-04-06 18:45:22.52+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', '2026-03-31', '\x3e3f0d23019dcc20b0d83fbe904e54e0', '2026-11-28 12:42:25.926798+00', '\x3e3f0d23019dcc20b0d83fbe904e54e0', '\x00ffb41791aac5c842a7bd144d15f126', 3, '2026-11-28 12:42:25.989558+00', '2026-04-01 12:00:00.64705+00', false, '2026-04-03 09:52:21.966+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', '2026-03-31', '\xa058bb4fbfb7818afe7d844e953507ba', '2026-11-28 12:42:25.926798+00', '\xa058bb4fbfb7818afe7d844e953507ba', '\xe821a3a496d413e762fb177e572bf1c0', 3, '2026-11-28 12:42:26.588539+00', '2026-04-01 12:00:00.842906+00', false, '2026-04-15 06:26:40.983+00', NULL, NULL, NULL, false, NULL, NULL, NULL),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', '2026-03-30', '\x93d3a08f3919a6040052cfa99dea8028', '2026-11-28 12:42:25.926798+00', NULL, '\x3e3cae925fe8bd5b512f6ab16ec08924', 3, '2026-11-28 12:42:26.506893+00', '2026-04-01 12:00:00.64769+00', false, '2026-04-04 02:26:39.965+00', '2026-11-28 12:42:26.443081+00', '2026-11-28 12:42:26.506893+00', NULL, false, NULL, NULL, NULL);
INSERT INTO sync.days VALUES
	('2026-03-29', 1, '2026-11-28 12:42:26.895572+00', NULL, 'run-4'),
	('2026-03-30', 2, '2026-11-28 12:42:27.661679+00', NULL, 'run-7'),
	('2026-03-31', 8, '2026-11-28 12:42:27.661679+00', NULL, 'run-7'),
	('2026-04-01', 0, '2026-11-28 12:42:27.661679+00', NULL, 'run-7');
INSERT INTO sync.erased_entities VALUES
	('cf427f2d-278e-462d-9d37-a1ae246f2112', '2026-11-28 12:42:26.952893+00', false);
INSERT INTO sync.erasures VALUES
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 'request', '2026-11-28 12:42:26.977198+00', 0, 1, 0);
INSERT INTO sync.privacy VALUES
	(true, 'hide', '2026-11-28 12:42:24.822477+00', '\x5b8cdcb1359f49ba96c4d0161631025fbb5c30d890ed40c48316e36fe148814b');
INSERT INTO sync.quarantine OVERRIDING SYSTEM VALUE VALUES
	(1, '153f06ac-451a-4181-8fe4-579973801721', 'details', '153f06ac-451a-4181-8fe4-579973801721', '2026-03-29', 'details of activity 153f06ac-451a-4181-8fe4-579973801721: 500, the service failed', NULL, 3, '2026-11-28 12:42:26.135981+00', '2026-11-28 12:42:26.730228+00', '2026-11-29 11:42:26.733492+00', NULL, NULL, NULL, NULL);
INSERT INTO sync.run_changes VALUES
	('run-1', 'd61b6ccc-0130-4090-a6a3-947aa6a61272', 'new', NULL, '2026-11-28 12:42:25.99055+00'),
	('run-1', '125a5f56-380c-4015-a0d0-0397a8e9709d', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', '1c38114a-d585-4f0b-a163-7a2077f241ad', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', '2d89f76d-6e59-40da-8d58-3e4b1d67b636', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', '5bb11bf1-8cba-4801-b106-37bb18668e8b', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', '78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', 'bffb1c6c-b21b-4e20-a7ee-0602257b475f', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', 'c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', 'cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', 'd98e3f44-f89f-4efc-94d2-cdefce9c7508', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', 'e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'new', NULL, '2026-11-28 12:42:26.082029+00'),
	('run-1', '153f06ac-451a-4181-8fe4-579973801721', 'quarantined', NULL, '2026-11-28 12:42:26.152899+00'),
	('run-2', '153f06ac-451a-4181-8fe4-579973801721', 'quarantined', NULL, '2026-11-28 12:42:26.534853+00'),
	('run-2', '125a5f56-380c-4015-a0d0-0397a8e9709d', 'gone', NULL, '2026-11-28 12:42:26.618799+00'),
	('run-3', '153f06ac-451a-4181-8fe4-579973801721', 'quarantined', NULL, '2026-11-28 12:42:26.733492+00');
INSERT INTO sync.runs VALUES
	('run-1', 'days', '2026-03-29', '2026-04-01', '2026-11-28 12:42:25.825886+00', '2026-11-28 12:42:26.190328+00', 'incomplete', '2026-03-29: 1 in quarantine', 12, 11, 0, 0, 0, 1, 20, 3, 1, 39058, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-2', 'days', '2026-03-30', '2026-04-01', '2026-11-28 12:42:26.218278+00', '2026-11-28 12:42:26.637185+00', 'complete', NULL, 10, 0, 0, 10, 1, 0, 7, 0, 1, 14133, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-3', 'open', NULL, NULL, '2026-11-28 12:42:26.650395+00', '2026-11-28 12:42:26.783507+00', 'incomplete', '2026-03-29: 1 in quarantine', 0, 0, 0, 0, 0, 1, 1, 0, 0, 131, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-4', 'days', '2026-03-29', '2026-04-01', '2026-11-28 12:42:26.803272+00', '2026-11-28 12:42:26.931861+00', 'incomplete', '2026-03-29: 1 in quarantine', 11, 0, 0, 10, 0, 1, 1, 0, 1, 6028, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-5', 'days', '2026-03-30', '2026-04-01', '2026-11-28 12:42:27.160794+00', '2026-11-28 12:42:27.342754+00', 'complete', NULL, 10, 0, 0, 10, 0, 0, 1, 0, 1, 6028, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-6', 'open', NULL, NULL, '2026-11-28 12:42:27.349627+00', '2026-11-28 12:42:27.477914+00', 'incomplete', '1 activities of older days in quarantine', 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-7', 'days', '2026-03-30', '2026-04-01', '2026-11-28 12:42:27.523991+00', '2026-11-28 12:42:27.715838+00', 'complete', NULL, 10, 0, 0, 10, 0, 0, 1, 0, 1, 6028, 0, 0, 0, '0.1.0', '0088_unread_indexes'),
	('run-8', 'open', NULL, NULL, '2026-11-28 12:42:27.734044+00', '2026-11-28 12:42:27.870242+00', 'incomplete', '1 activities of older days in quarantine', 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, '0.1.0', '0088_unread_indexes');
INSERT INTO sync.schema_migrations VALUES
	('0001_schemas', '2026-11-28 12:42:24.822477+00', NULL),
	('0002_warehouse', '2026-11-28 12:42:24.822477+00', NULL),
	('0003_landing', '2026-11-28 12:42:24.822477+00', NULL),
	('0004_sync', '2026-11-28 12:42:24.822477+00', NULL),
	('0005_codes', '2026-11-28 12:42:24.822477+00', NULL),
	('0006_verifications', '2026-11-28 12:42:24.822477+00', NULL),
	('0007_living_runs', '2026-11-28 12:42:24.822477+00', NULL),
	('0008_analytics', '2026-11-28 12:42:24.822477+00', NULL),
	('0008a_activity_as_of', '2026-11-28 12:42:24.822477+00', NULL),
	('0009_privacy', '2026-11-28 12:42:24.822477+00', NULL),
	('0010_authorization_requests', '2026-11-28 12:42:24.822477+00', NULL),
	('0011_refresh_queue', '2026-11-28 12:42:24.822477+00', NULL),
	('0012_withheld', '2026-11-28 12:42:24.822477+00', NULL),
	('0013_rows_digest', '2026-11-28 12:42:24.822477+00', NULL),
	('0014_volatile_fields', '2026-11-28 12:42:24.822477+00', NULL),
	('0015_stale_upper_bound', '2026-11-28 12:42:24.822477+00', NULL),
	('0016_stamps', '2026-11-28 12:42:24.822477+00', NULL),
	('0017_recognition', '2026-11-28 12:42:24.822477+00', NULL),
	('0018_consents', '2026-11-28 12:42:24.822477+00', NULL),
	('0020_whole_person', '2026-11-28 12:42:24.822477+00', NULL),
	('0040_kept', '2026-11-28 12:42:24.822477+00', NULL),
	('0041_keys_of_stored_views', '2026-11-28 12:42:24.822477+00', NULL),
	('0050_count_days', '2026-11-28 12:42:24.822477+00', NULL),
	('0051_kept_requests', '2026-11-28 12:42:24.822477+00', NULL),
	('0060_facts_in_rows', '2026-11-28 12:42:24.822477+00', NULL),
	('0061_ledger_indexes', '2026-11-28 12:42:24.822477+00', NULL),
	('0070_message_references', '2026-11-28 12:42:24.822477+00', NULL),
	('0071_asked_once', '2026-11-28 12:42:24.822477+00', NULL),
	('0080_star', '2026-11-28 12:42:24.822477+00', NULL),
	('0081_as_of', '2026-11-28 12:42:24.822477+00', NULL),
	('0085_known_from_tables', '2026-11-28 12:42:24.822477+00', NULL),
	('0086_calendar', '2026-11-28 12:42:24.822477+00', NULL),
	('0087_fewer_indexes', '2026-11-28 12:42:24.822477+00', NULL),
	('0088_unread_indexes', '2026-11-28 12:42:24.822477+00', NULL),
	('functions/coverage_of', '2026-11-28 12:42:24.822477+00', '03bf281892ad997bdfde0b66fe0565a9'),
	('functions/todo_of', '2026-11-28 12:42:24.822477+00', '5733525a100c0a4b2c6e7eeb146d4420');
INSERT INTO sync.service_facts VALUES
	('database', '20261/20513/00000001/7713200077095003765', '2026-11-28 12:42:27.75546+00', NULL, NULL),
	('configured_zone', 'UTC', '2026-11-28 12:42:27.801733+00', NULL, NULL);
INSERT INTO sync.view_versions VALUES
	('days', '0971282e55584ae88d61b0bdb4972237', '2026-11-28 12:42:24.822477+00', NULL),
	('entity_history', 'aea403f9c85612abd78c519b2eeecece', '2026-11-28 12:42:24.822477+00', NULL),
	('shared_values', '8dae15118ce3191441dcb99c8f23b5d7', '2026-11-28 12:42:24.822477+00', NULL),
	('change_lag', '38c0d3b101387eca36f5d00966e62deb', '2026-11-28 12:42:24.822477+00', NULL),
	('deprecated_requirements', '7de3aed3e1aa26f143636397b6029fd2', '2026-11-28 12:42:24.822477+00', NULL),
	('entity_profiles', '962c7a2679a0fb363cdb5d142611d1cb', '2026-11-28 12:42:24.822477+00', NULL),
	('unlabelled_codes', '10c18eca038771ffa73785c4e4044dc9', '2026-11-28 12:42:24.822477+00', NULL),
	('accepted_items', '6aa2dd58e06fc1f13ac3f98ef575781f', '2026-11-28 12:42:24.822477+00', NULL),
	('authorization_requests', 'a9a3715ea4726e2215b0f0804ce74aae', '2026-11-28 12:42:24.822477+00', NULL),
	('entities', 'dcb08f242551753b6c95c62f2d5c3c9d', '2026-11-28 12:42:24.822477+00', NULL),
	('entity_scores', 'a3354f91d5f0cf42d1667538fece3745', '2026-11-28 12:42:24.822477+00', NULL),
	('entity_social_media', '89fc05746773395a458500b43b613b7f', '2026-11-28 12:42:24.822477+00', NULL),
	('requirement_items', '600e04898db9d251efbe453eb453eafb', '2026-11-28 12:42:24.822477+00', NULL),
	('timeline_events', '2c3e4c094dec9a8707766d28fa3951ff', '2026-11-28 12:42:24.822477+00', NULL),
	('activities_by_answered_day', '685631c144d961ed6202a0dd759cd59d', '2026-11-28 12:42:24.822477+00', NULL),
	('activities_by_created_day', 'e9e9cbf9e17d13284c2f82b91fb76487', '2026-11-28 12:42:24.822477+00', NULL),
	('counterparts', 'd54d99f697724bb827df448bc373321e', '2026-11-28 12:42:24.822477+00', NULL),
	('open_activities', '665d4e4462817a2ef647d647fcb9b2f4', '2026-11-28 12:42:24.822477+00', NULL),
	('activity_stages', '8b7b1551eb1484e795758d4f074658ea', '2026-11-28 12:42:24.822477+00', NULL),
	('answer_times', '79b74ed809f5a214530d9ebc91261dc4', '2026-11-28 12:42:24.822477+00', NULL),
	('counterpart_activity', 'e5c5f974a53dfe02147901288475d1a8', '2026-11-28 12:42:24.822477+00', NULL),
	('decision_times', '1afbbfd6ac14a3fb2ea8d28702ecff05', '2026-11-28 12:42:24.822477+00', NULL),
	('deprecated_activities', '0e006bead69a295fad399fef02cfec88', '2026-11-28 12:42:24.822477+00', NULL),
	('hours_of_week', '7aa87d53aea1521d2b544a3bb2b78858', '2026-11-28 12:42:24.822477+00', NULL),
	('status_intervals', '5d992bf5e51bf66b2ff3e5c932b23f2d', '2026-11-28 12:42:24.822477+00', NULL),
	('activities_by_month', '0ebe6d8b318dd1ed52e10b878180e2b3', '2026-11-28 12:42:24.822477+00', NULL),
	('freshness', '92750d007f2baea8d7ad6417858da124', '2026-11-28 12:42:24.822477+00', NULL),
	('daily_status', 'df74fe9ba4946492ecb46e058b385176', '2026-11-28 12:42:24.822477+00', NULL),
	('daily_status_changes', 'f8b2531c4e25a0d12cac2dd8df231d8b', '2026-11-28 12:42:24.822477+00', NULL),
	('activity_funnel', '7d5b53484d43c76da49d318011f29edf', '2026-11-28 12:42:24.822477+00', NULL),
	('requirement_outcomes', '62b6321e7d4dc3bf649d22c711f1d07a', '2026-11-28 12:42:24.822477+00', NULL),
	('deprecated_counterparts', '3073616e7c99998290e14e09b96289bb', '2026-11-28 12:42:24.822477+00', NULL),
	('consents', '20848517a6be0c447b7b35961b82a11e', '2026-11-28 12:42:24.822477+00', NULL),
	('item_outcomes', '16012ce9d0e7efe03d244916c9d6d0ac', '2026-11-28 12:42:24.822477+00', NULL),
	('authorization_outcomes', '50db524c22d4880e490af70bb54f4531', '2026-11-28 12:42:24.822477+00', NULL),
	('expiring_shares', '070df8b0cd0df2f94b4dd191fb28ab49', '2026-11-28 12:42:24.822477+00', NULL),
	('requirement_answers', 'b90cd702dc1d93875b46e65fdd8f4599', '2026-11-28 12:42:24.822477+00', NULL),
	('activities', '7d81953b3ad0650a06dddcd2895eae5d', '2026-11-28 12:42:24.822477+00', '2026-11-28 12:42:27.88808+00'),
	('status_changes', 'e5851cfccd0d0c60559778eb526621c4', '2026-11-28 12:42:24.822477+00', '2026-11-28 12:42:27.88808+00'),
	('requirements', '063ceee4f8f557b77ec67896e88458dc', '2026-11-28 12:42:24.822477+00', '2026-11-28 12:42:27.88808+00'),
	('items', '883ea1701ae949dc50fe5456f5cd2e5e', '2026-11-28 12:42:24.822477+00', '2026-11-28 12:42:27.88808+00');
INSERT INTO warehouse.accepted_items VALUES
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 0, 'RQ_002', 'IDT_001', 'RTP_002', '{"member_since": 1748811430780}'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 1, 'RQ_002', 'IDT_002', 'RTP_002', '{"range": {"to": 850, "from": 300}, "score": 664}'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 2, 'RQ_002', 'IDT_003', 'RTP_002', '{"level": "GOOD"}'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 3, 'RQ_002', 'IDT_004', 'RTP_002', '{"verified_at": 1774967729966}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 2, 'RQ_006', 'IDC_003', 'RTP_002', '{"type": "PASSPORT", "number": "82783040", "issuing_country": "BR"}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 0, 'RQ_002', 'IDT_001', 'RTP_002', '{"member_since": 1668087974307}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 1, 'RQ_002', 'IDT_002', 'RTP_002', '{"range": {"to": 850, "from": 300}, "score": 532}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 2, 'RQ_002', 'IDT_003', 'RTP_002', '{"level": "FAIR"}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 3, 'RQ_002', 'IDT_004', 'RTP_002', '{"verified_at": 1774937839302}'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 0, 'RQ_002', 'IDT_001', 'RTP_002', '{"member_since": 1668087974307}'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 1, 'RQ_002', 'IDT_002', 'RTP_002', '{"range": {"to": 850, "from": 300}, "score": 532}'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 2, 2, 'RQ_002', 'IDT_003', 'RTP_002', '{"level": "FAIR"}'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}');
INSERT INTO warehouse.activities VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 'AT_002', 'Share details', 'OUT', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'Onboarding "46796": selfie & document
Thank you!', 'ACCEPTED', 'Activity created', 'UTC', '2026-04-15 07:31:58.224+00', NULL, NULL, '2026-04-03 07:31:58.224+00', '2026-03-31 07:31:58.224+00', '2026-03-31 07:31:58.224+00', 'HOURS', 72, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.986318+00', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'AT_004', 'Authorization request', 'IN', '19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'Rental application 74881: proof of identity and address.', 'COMPLETED', 'Shared as requested.', 'UTC', '2026-04-02 09:51:12.479+00', '2026-04-01 02:52:20.343+00', '2026-04-01 03:03:53.856+00', '2026-06-30 02:52:20.343+00', '2026-03-31 09:51:12.479+00', '2026-04-01 03:03:53.856+00', 'DAYS', 90, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990324+00', NULL, NULL, NULL),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 'AT_004', 'Authorization request', 'IN', '21a08732-34a1-4730-b3d8-f42e7042deb2', 'We''d like to keep your details up to date ✅', 'ACCEPTED', 'تمت المشاركة', 'America/Santiago', '2026-04-01 14:45:33.373+00', '2026-03-31 16:41:11.315+00', NULL, '2026-04-15 16:41:11.315+00', '2026-03-31 14:45:33.373+00', '2026-03-31 16:41:11.315+00', 'DAYS', 15, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.988846+00', NULL, NULL, NULL),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'AT_001', 'Request details', 'OUT', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'We''d like to keep your details up to date ✅', 'ACCEPTED', 'Accepted, here you are.', 'America/Santiago', '2026-04-01 02:21:52.036+00', '2026-04-01 01:17:02.342+00', NULL, '2026-05-01 01:17:02.342+00', '2026-03-31 14:21:52.036+00', '2026-04-01 01:17:02.342+00', 'DAYS', 30, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989833+00', NULL, NULL, NULL),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 'AT_004', 'Authorization request', 'IN', '0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'Onboarding "39704": selfie & document
Thank you!', 'ACTION_REQUIRED', NULL, 'America/Lima', '2026-04-07 17:43:59.893+00', NULL, NULL, NULL, '2026-03-31 17:43:59.893+00', '2026-03-31 17:43:59.893+00', 'DAYS', 30, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989253+00', NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 'AT_001', 'Request details', 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'يرجى مشاركة بياناتك لإتمام الطلب 16683', 'SENT', NULL, 'America/Lima', '2026-04-05 11:13:53.312+00', NULL, NULL, NULL, '2026-03-31 11:13:53.312+00', '2026-03-31 11:13:53.312+00', 'DAYS', 30, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990694+00', NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'AT_001', 'Request details', 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'Rental application 45498: proof of identity and address.', 'SENT', NULL, 'America/Lima', '2026-04-14 15:08:46.678+00', NULL, NULL, NULL, '2026-03-30 15:08:46.678+00', '2026-03-30 15:08:46.678+00', 'DAYS', 30, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990592+00', NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'AT_002', 'Share details', 'OUT', 'a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'Rental application 28820: proof of identity and address.', 'ACCEPTED', 'Activity created', 'America/Lima', '2026-04-15 06:26:40.983+00', NULL, NULL, '2026-04-30 06:26:40.983+00', '2026-03-31 06:26:40.983+00', '2026-03-31 06:26:40.983+00', 'DAYS', 30, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.98969+00', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'AT_001', 'Request details', 'IN', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'We''d like to keep your details up to date ✅', 'COMPLETED', 'تمت المشاركة', 'America/Lima', '2026-03-30 22:45:56.966+00', '2026-03-30 18:45:22.52+00', '2026-03-31 20:23:58.909+00', '2026-04-06 18:45:22.52+00', '2026-03-30 10:45:56.966+00', '2026-03-31 20:23:58.909+00', 'DAYS', 7, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989393+00', NULL, NULL, NULL),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'AT_004', 'Authorization request', 'IN', 'bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'Onboarding "73971": selfie & document
Thank you!', 'ACCEPTED', 'Shared as requested.', 'UTC', '2026-04-07 08:09:16.712+00', '2026-03-31 09:52:21.966+00', NULL, '2026-04-03 09:52:21.966+00', '2026-03-31 08:09:16.712+00', '2026-03-31 09:52:21.966+00', 'HOURS', 72, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.989558+00', NULL, NULL, NULL),
	('153f06ac-451a-4181-8fe4-579973801721', 'AT_002', NULL, 'OUT', '5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', NULL, 'COMPLETED', NULL, 'America/Lima', NULL, NULL, NULL, NULL, '2026-03-29 16:08:53.992+00', NULL, NULL, NULL, '2026-11-28 12:42:25.926798+00', NULL, NULL, NULL, NULL),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 'AT_004', 'Authorization request', 'OUT', 'cf427f2d-278e-462d-9d37-a1ae246f2112', 'We''d like to keep your details up to date ✅', 'SENT', NULL, 'America/Lima', '2026-04-04 02:26:39.965+00', NULL, NULL, NULL, '2026-03-30 02:26:39.965+00', '2026-03-30 02:26:39.965+00', 'DAYS', 90, '2026-11-28 12:42:25.926798+00', '2026-11-28 12:42:25.990197+00', '2026-11-28 12:42:26.506893+00', '2026-11-28 12:42:26.977198+00', NULL);
INSERT INTO warehouse.authorization_requests VALUES
	('1ced7813-8324-450e-b0f9-781250139797', 'case 0', 'Please share. Ref. 0', 'PE', '+51987654320', NULL, NULL, '[]', 'queued', NULL, '2026-11-28 12:42:27.105215+00', NULL, NULL, NULL, 0, '[]', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'REF0'),
	('51ea40c0-40e4-416e-8602-ad73aa58526e', 'case 1', 'Please share. Ref. 1', 'PE', '+51987654321', NULL, NULL, '[]', 'sending', NULL, '2026-11-28 12:42:27.105215+00', '2026-11-28 12:42:27.105215+00', NULL, NULL, 0, '[]', NULL, NULL, NULL, 0.5, NULL, NULL, NULL, 'REF1'),
	('a31080b1-4b61-4647-bb52-753f1e83048b', 'case 2', 'Please share. Ref. 2', 'PE', '+51987654322', NULL, NULL, '[]', 'sent', NULL, '2026-11-28 12:42:27.105215+00', '2026-11-28 12:42:27.105215+00', NULL, NULL, 0, '[]', NULL, NULL, NULL, 0.5, '{}', NULL, NULL, 'REF2'),
	('1fda7224-7772-40c8-8ee9-700053bc72b1', 'case 3', 'Please share. Ref. 3', 'PE', '+51987654323', NULL, NULL, '[]', 'unknown', NULL, '2026-11-28 12:42:27.105215+00', '2026-11-28 12:42:27.105215+00', NULL, NULL, 0, '[]', NULL, NULL, NULL, 0.5, '{}', NULL, NULL, 'REF3');
INSERT INTO warehouse.entities VALUES
	('0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 'Zürich Ltda.', '5b80d97b-45b8-4b96-ac1f-8b90945a6d79', 'BUSINESS', 'https://avatars.example.test/0ec0cbd9-f1e4-4a84-a830-fbca344edda6.png', 763, 'EXCELLENT', false, '2025-09-17 03:32:53.798+00', '\xd40dfa373c9f0bba376f73da69cdb398', '2026-11-28 12:42:25.986318+00', NULL),
	('19bf444c-9659-4bdc-a080-cb6ea0acd20e', 'Åsa O’Neill', '55b51d78-6e2f-4109-8d56-e950decf2bd5', 'INDIVIDUAL', 'https://avatars.example.test/19bf444c-9659-4bdc-a080-cb6ea0acd20e.png', 664, 'GOOD', false, '2025-06-01 20:57:10.78+00', '\x6f6ff6856d0c8b4d9ca00823d7d5ac95', '2026-11-28 12:42:25.990324+00', NULL),
	('21a08732-34a1-4730-b3d8-f42e7042deb2', 'अर्जुन पटेल', '0e4dd8c2-4c53-4ac1-a6bb-90ebfca44c93', 'INDIVIDUAL', 'https://avatars.example.test/21a08732-34a1-4730-b3d8-f42e7042deb2.png', 702, 'GOOD', false, '2025-12-01 08:55:23.346+00', '\x45b5768bca33a1be22977c921d821c2f', '2026-11-28 12:42:25.988846+00', NULL),
	('5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 'Дмитро Коваленко', 'aeb17176-b9d5-42a8-a464-9be44e22306f', 'INDIVIDUAL', NULL, 572, 'FAIR', false, '2024-06-24 20:52:33.208+00', '\xe4445f6193dda3f8fd8af4e1cd7906eb', '2026-11-28 12:42:25.990694+00', NULL),
	('a5da5be1-3e74-48b5-8678-5fc1d5c62d93', 'María de la Cruz', '256f3bdc-2cde-42ca-ba9c-e9389ab99fba', 'INDIVIDUAL', 'https://avatars.example.test/a5da5be1-3e74-48b5-8678-5fc1d5c62d93.png', 832, 'EXCELLENT', false, '2022-11-10 13:46:14.307+00', '\x02807540a9b9e24c46dba4cbb218f4cb', '2026-11-28 12:42:25.989833+00', NULL),
	('bec5ec87-2fc1-4267-b9fd-3a17abb3def7', 'Iñaki Vásquez', 'cf2b2a7c-f679-498b-8ea3-3080b36611cf', 'INDIVIDUAL', 'https://avatars.example.test/bec5ec87-2fc1-4267-b9fd-3a17abb3def7.png', 828, 'EXCELLENT', false, '2022-06-01 11:06:39.734+00', '\xb6ee1cdb59eaa0e114bee02f18682d09', '2026-11-28 12:42:25.989558+00', NULL),
	('cf427f2d-278e-462d-9d37-a1ae246f2112', NULL, '9f2bfb73-80ef-43df-a62b-4d4c5faf73eb', 'INDIVIDUAL', NULL, NULL, NULL, false, '2024-03-14 08:40:38.76+00', '\x00', '2026-11-28 12:42:25.990197+00', NULL);
INSERT INTO warehouse.entity_scores VALUES
	('0ec0cbd9-f1e4-4a84-a830-fbca344edda6', '2026-11-28 12:42:25.986318+00', 763, 'EXCELLENT'),
	('19bf444c-9659-4bdc-a080-cb6ea0acd20e', '2026-11-28 12:42:25.990324+00', 664, 'GOOD'),
	('21a08732-34a1-4730-b3d8-f42e7042deb2', '2026-11-28 12:42:25.988846+00', 702, 'GOOD'),
	('5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', '2026-11-28 12:42:25.990694+00', 572, 'FAIR'),
	('a5da5be1-3e74-48b5-8678-5fc1d5c62d93', '2026-11-28 12:42:25.989833+00', 832, 'EXCELLENT'),
	('bec5ec87-2fc1-4267-b9fd-3a17abb3def7', '2026-11-28 12:42:25.989558+00', 828, 'EXCELLENT');
INSERT INTO warehouse.entity_social_media VALUES
	('0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 0, 'X', 'https://social.example.test/x/member2'),
	('0ec0cbd9-f1e4-4a84-a830-fbca344edda6', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member2'),
	('19bf444c-9659-4bdc-a080-cb6ea0acd20e', 0, 'X', 'https://social.example.test/x/member7'),
	('19bf444c-9659-4bdc-a080-cb6ea0acd20e', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member7'),
	('5e2c87b1-f0e8-4db9-a0fc-64c245c1de84', 0, 'X', 'https://social.example.test/x/member0');
INSERT INTO warehouse.requirement_items VALUES
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 1, 0, 'IDC_001'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 1, 1, 'IDC_002'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 1, 2, 'IDC_003'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 3, 0, 'IDT_001'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 3, 1, 'IDT_002'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 3, 2, 'IDT_003'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 3, 3, 'IDT_004'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'declined', 1, 0, 'IDC_001'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'declined', 1, 1, 'IDC_002'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'declined', 1, 2, 'IDC_003'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 0, 0, 'IDC_001'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 0, 1, 'IDC_002'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 0, 2, 'IDC_003'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 1, 0, 'IDT_001'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 1, 1, 'IDT_002'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 1, 2, 'IDT_003'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 1, 3, 'IDT_004'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 'requested', 0, 0, 'IDC_001'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'requested', 0, 0, 'PIF_001'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'requested', 0, 1, 'PIF_002'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'requested', 0, 2, 'PIF_003'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 2, 0, 'IDT_001'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 2, 1, 'IDT_002'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 2, 2, 'IDT_003'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 2, 0, 'IDT_001'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 2, 1, 'IDT_002'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 2, 2, 'IDT_003'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 2, 3, 'IDT_004'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 1, 0, 'IDT_001'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 1, 1, 'IDT_002'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 1, 2, 'IDT_003'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 1, 3, 'IDT_004'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'requested', 0, 0, 'IDC_001'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'requested', 0, 1, 'IDC_002');
INSERT INTO warehouse.requirements VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 'requested', 0, 'RQ_003', NULL, NULL, NULL),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 'requested', 1, 'RQ_005', NULL, NULL, NULL),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 'accepted', 0, 'RQ_003', 'RTP_003', 'RQC_001', '{"image": {"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}, "taken_at": 1774942258224}'),
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 'accepted', 1, 'RQ_005', 'RTP_002', 'RQC_002', '{"nationalities": [{"since_birth": true, "country_code": "CO"}]}'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 'requested', 0, 'RQ_007', NULL, NULL, NULL),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 'requested', 1, 'RQ_005', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 0, 'RQ_005', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 1, 'RQ_006', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 2, 'RQ_007', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'requested', 3, 'RQ_002', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'declined', 0, 'RQ_005', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'declined', 1, 'RQ_006', NULL, NULL, NULL),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'accepted', 0, 'RQ_002', 'RTP_002', 'RQC_001', '{}'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 'accepted', 1, 'RQ_007', 'RTP_004', 'RQC_002', '{"city": "Arequipa", "number": "377", "street": "Calle Berlín", "location": {"latitude": -12.038674, "longitude": -77.042793}}'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 'requested', 0, 'RQ_007', NULL, NULL, NULL),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 'accepted', 0, 'RQ_007', 'RTP_004', 'RQC_002', '{"city": "Lima", "number": "736", "street": "Jr. de la Unión", "location": {"latitude": -12.042774, "longitude": -77.042793}}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 0, 'RQ_006', NULL, NULL, NULL),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'requested', 1, 'RQ_002', NULL, NULL, NULL),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'accepted', 0, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 'accepted', 1, 'RQ_002', 'RTP_002', 'RQC_001', '{}'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 'requested', 0, 'RQ_006', NULL, NULL, NULL),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 'requested', 1, 'RQ_001', NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 'requested', 0, 'RQ_007', NULL, NULL, NULL),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 'requested', 1, 'RQ_003', NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'requested', 0, 'RQ_004', NULL, NULL, NULL),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 'requested', 1, 'RQ_007', NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 0, 'RQ_001', NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 1, 'RQ_003', NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'requested', 2, 'RQ_002', NULL, NULL, NULL),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'accepted', 0, 'RQ_001', 'RTP_001', 'RQC_001', '{"result": "PASSED", "similarity": 0.9326, "verified_at": 1774938400983}'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'accepted', 1, 'RQ_003', 'RTP_003', 'RQC_001', '{"image": {"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}, "taken_at": 1774938340983}'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 'accepted', 2, 'RQ_002', 'RTP_002', 'RQC_001', '{}'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 0, 'RQ_001', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 1, 'RQ_005', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 2, 'RQ_002', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'requested', 3, 'RQ_007', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 0, 'RQ_005', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 1, 'RQ_002', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'declined', 2, 'RQ_007', NULL, NULL, NULL),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 'accepted', 0, 'RQ_001', 'RTP_001', 'RQC_001', '{"result": "PASSED", "similarity": 0.9319000000000001, "verified_at": 1774896322520}'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'requested', 0, 'RQ_006', NULL, NULL, NULL),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 'accepted', 0, 'RQ_006', 'RTP_005', 'RQC_003', '{}');
INSERT INTO warehouse.timeline_events VALUES
	('d61b6ccc-0130-4090-a6a3-947aa6a61272', 0, 'ACCEPTED', '2026-03-31 07:31:58.224+00', 'Activity created', '2bb33511-8d37-450e-b09b-938afd7904da'),
	('125a5f56-380c-4015-a0d0-0397a8e9709d', 0, 'SENT', '2026-03-30 02:26:39.965+00', 'Activity created', 'df02fbda-86e3-4b88-8bf4-9db362dae480'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 0, 'ACTION_REQUIRED', '2026-03-31 09:51:12.479+00', 'Activity created', 'bd6122c0-8d1a-4410-8637-166655c8965a'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 1, 'ACCEPTED', '2026-04-01 02:52:20.343+00', 'Shared as requested.', '1c9aab3d-2a3c-4363-9505-4a7bf8f71781'),
	('1c38114a-d585-4f0b-a163-7a2077f241ad', 2, 'COMPLETED', '2026-04-01 03:03:53.856+00', 'Finalised by both sides', '8c2b2691-0d89-4259-b432-6132548a39eb'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 0, 'ACTION_REQUIRED', '2026-03-31 14:45:33.373+00', 'Activity created', 'a5f27a7b-c92e-4415-8ded-14697327a1d4'),
	('2d89f76d-6e59-40da-8d58-3e4b1d67b636', 1, 'ACCEPTED', '2026-03-31 16:41:11.315+00', 'تمت المشاركة', 'e9f771c9-086d-49c8-99c4-4247bd6fd27d'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 0, 'SENT', '2026-03-31 14:21:52.036+00', 'Activity created', '33a88770-a933-4d5a-b39e-64f02188603e'),
	('5bb11bf1-8cba-4801-b106-37bb18668e8b', 1, 'ACCEPTED', '2026-04-01 01:17:02.342+00', 'Accepted, here you are.', '8c1edcb1-e19b-46ca-abba-8ebdcacedc00'),
	('78bae0a7-ee45-45d4-a92b-dfa6c42f2677', 0, 'ACTION_REQUIRED', '2026-03-31 17:43:59.893+00', 'Activity created', '9f21196d-04db-4028-b502-86691ab24036'),
	('bffb1c6c-b21b-4e20-a7ee-0602257b475f', 0, 'SENT', '2026-03-31 11:13:53.312+00', 'Activity created', '40108ddf-0900-4b50-9c07-bc2e970b09c6'),
	('c25bd299-7e83-4b97-8dd2-a182b48e8c0e', 0, 'SENT', '2026-03-30 15:08:46.678+00', 'Activity created', 'a01d0e25-6d0b-48ff-95a2-58251be30900'),
	('cf243a14-0d8e-4826-bb2b-18c8b1d1684b', 0, 'ACCEPTED', '2026-03-31 06:26:40.983+00', 'Activity created', 'f0c44477-5be4-4145-8c0a-b74239632bdc'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 0, 'ACTION_REQUIRED', '2026-03-30 10:45:56.966+00', 'Activity created', '0ccd276f-82ed-4256-a36c-65fa9c848a14'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 1, 'ACCEPTED', '2026-03-30 18:45:22.52+00', 'تمت المشاركة', 'b20878a4-968a-4851-b566-7d723385af6a'),
	('d98e3f44-f89f-4efc-94d2-cdefce9c7508', 2, 'COMPLETED', '2026-03-31 20:23:58.909+00', 'Finalised by both sides', '9c05e694-f292-4d27-b648-dfcc76c366a8'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 0, 'ACTION_REQUIRED', '2026-03-31 08:09:16.712+00', 'Activity created', '29fe9c2c-64ab-4c50-ba86-00faccd8a293'),
	('e9de09d3-e2c1-4ff4-944e-e307f91b8429', 1, 'ACCEPTED', '2026-03-31 09:52:21.966+00', 'Shared as requested.', 'f570636d-cdb5-4bcc-b4a5-461c42f069ec');
SELECT pg_catalog.setval('sync.quarantine_id_seq', 3, true);
ALTER TABLE ONLY analytics.activities
    ADD CONSTRAINT activities_pkey PRIMARY KEY (activity_id);
ALTER TABLE ONLY analytics.codes
    ADD CONSTRAINT codes_pkey PRIMARY KEY (kind, code);
ALTER TABLE ONLY analytics.items
    ADD CONSTRAINT items_key PRIMARY KEY (activity_id, requirement_number, item_number);
ALTER TABLE ONLY analytics.requirements
    ADD CONSTRAINT requirements_key PRIMARY KEY (activity_id, requirement_number);
ALTER TABLE ONLY analytics.status_changes
    ADD CONSTRAINT status_changes_key PRIMARY KEY (activity_id, change_number);
ALTER TABLE ONLY landing.activity_details
    ADD CONSTRAINT activity_details_pkey PRIMARY KEY (activity_id, first_seen_at);
ALTER TABLE ONLY landing.activity_list_rows
    ADD CONSTRAINT activity_list_rows_pkey PRIMARY KEY (activity_id, first_seen_at);
ALTER TABLE ONLY sync.activity_ledger
    ADD CONSTRAINT activity_ledger_pkey PRIMARY KEY (activity_id);
ALTER TABLE ONLY sync.days
    ADD CONSTRAINT days_pkey PRIMARY KEY (day);
ALTER TABLE ONLY sync.erased_entities
    ADD CONSTRAINT erased_entities_pkey PRIMARY KEY (entity_id);
ALTER TABLE ONLY sync.erased_phones
    ADD CONSTRAINT erased_phones_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY sync.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (activity_id, reason);
ALTER TABLE ONLY sync.grant_versions
    ADD CONSTRAINT grant_versions_pkey PRIMARY KEY (applied);
ALTER TABLE ONLY sync.privacy
    ADD CONSTRAINT privacy_pkey PRIMARY KEY (applied);
ALTER TABLE ONLY sync.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sync.run_changes
    ADD CONSTRAINT run_changes_pkey PRIMARY KEY (run_id, activity_id, change);
ALTER TABLE ONLY sync.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY sync.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sync.service_facts
    ADD CONSTRAINT service_facts_pkey PRIMARY KEY (fact);
ALTER TABLE ONLY sync.unknown_values
    ADD CONSTRAINT unknown_values_pkey PRIMARY KEY (kind, value);
ALTER TABLE ONLY sync.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY sync.view_versions
    ADD CONSTRAINT view_versions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY warehouse.accepted_items
    ADD CONSTRAINT accepted_items_pkey PRIMARY KEY (activity_id, requirement_position, "position");
ALTER TABLE ONLY warehouse.activities
    ADD CONSTRAINT activities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY warehouse.authorization_requests
    ADD CONSTRAINT authorization_requests_activity_id_key UNIQUE (activity_id);
ALTER TABLE ONLY warehouse.authorization_requests
    ADD CONSTRAINT authorization_requests_message_reference_key UNIQUE (message_reference);
ALTER TABLE ONLY warehouse.authorization_requests
    ADD CONSTRAINT authorization_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY warehouse.authorization_requests
    ADD CONSTRAINT authorization_requests_reference_key UNIQUE (reference);
ALTER TABLE ONLY warehouse.entities
    ADD CONSTRAINT entities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY warehouse.entity_scores
    ADD CONSTRAINT entity_scores_pkey PRIMARY KEY (entity_id, observed_at);
ALTER TABLE ONLY warehouse.entity_social_media
    ADD CONSTRAINT entity_social_media_pkey PRIMARY KEY (entity_id, "position");
ALTER TABLE ONLY warehouse.requirement_items
    ADD CONSTRAINT requirement_items_pkey PRIMARY KEY (activity_id, disposition, requirement_position, "position");
ALTER TABLE ONLY warehouse.requirements
    ADD CONSTRAINT requirements_pkey PRIMARY KEY (activity_id, disposition, "position");
ALTER TABLE ONLY warehouse.timeline_events
    ADD CONSTRAINT timeline_events_pkey PRIMARY KEY (activity_id, "position");
CREATE INDEX activities_answered_day ON analytics.activities USING btree (answered_day);
CREATE INDEX activities_created_day ON analytics.activities USING btree (created_day);
CREATE INDEX activities_entity ON analytics.activities USING btree (entity_id);
CREATE INDEX activities_open ON analytics.activities USING btree (valid_until) WHERE (NOT final);
CREATE INDEX items_counterpart ON analytics.items USING btree (entity_id);
CREATE INDEX items_created_day ON analytics.items USING btree (created_day);
CREATE INDEX requirements_counterpart ON analytics.requirements USING btree (entity_id);
CREATE INDEX requirements_created_day ON analytics.requirements USING btree (created_day);
CREATE INDEX requirements_readable ON analytics.requirements USING btree (readable_until) WHERE (readable_until IS NOT NULL);
CREATE INDEX status_changes_created_day ON analytics.status_changes USING btree (created_day);
CREATE INDEX status_changes_entered_day ON analytics.status_changes USING btree (entered_day);
CREATE INDEX activity_details_times ON landing.activity_details USING brin (first_seen_at) WITH (autosummarize='on');
CREATE INDEX activity_list_rows_times ON landing.activity_list_rows USING brin (first_seen_at) WITH (autosummarize='on');
CREATE INDEX activity_ledger_altered ON sync.activity_ledger USING btree (activity_id) WHERE altered;
CREATE INDEX activity_ledger_day ON sync.activity_ledger USING btree (day);
CREATE INDEX activity_ledger_open ON sync.activity_ledger USING btree (day, service_time) WHERE ((NOT final) AND (gone_at IS NULL));
CREATE INDEX activity_ledger_times ON sync.activity_ledger USING brin (listed_at, checked_at, unlisted_at, service_time) WITH (autosummarize='on');
CREATE INDEX quarantine_activity ON sync.quarantine USING btree (activity_id);
CREATE UNIQUE INDEX quarantine_open ON sync.quarantine USING btree (source, subject) WHERE (resolved_at IS NULL);
CREATE INDEX quarantine_open_day ON sync.quarantine USING btree (day) WHERE (resolved_at IS NULL);
CREATE INDEX run_changes_gone ON sync.run_changes USING btree (activity_id, recorded_at) WHERE (change = ANY (ARRAY['gone'::text, 'returned'::text]));
CREATE INDEX runs_running ON sync.runs USING btree (run_id) WHERE (status = 'running'::text);
CREATE INDEX runs_started_at ON sync.runs USING btree (started_at DESC);
CREATE INDEX verifications_finished_at ON sync.verifications USING btree (finished_at DESC);
CREATE INDEX activities_details_fetched_at ON warehouse.activities USING btree (details_fetched_at);
CREATE INDEX activities_entity_id ON warehouse.activities USING btree (entity_id);
CREATE INDEX activities_expired_to_erase ON warehouse.activities USING btree (id) WHERE ((values_erased_at IS NULL) AND (status = 'EXPIRED'::text));
CREATE INDEX activities_to_empty ON warehouse.activities USING btree (created_at) WHERE (personal_erased_at IS NULL);
CREATE INDEX activities_to_erase ON warehouse.activities USING btree (expires_at) WHERE ((values_erased_at IS NULL) AND (expires_at IS NOT NULL));
CREATE UNIQUE INDEX authorization_requests_digest ON warehouse.authorization_requests USING btree (digest) WHERE (reference IS NULL);
CREATE INDEX authorization_requests_number ON warehouse.authorization_requests USING btree (phone_number);
CREATE INDEX authorization_requests_open ON warehouse.authorization_requests USING btree (sent_at) WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text, 'unknown'::text]));
CREATE INDEX authorization_requests_sent_at ON warehouse.authorization_requests USING btree (sent_at);
CREATE INDEX authorization_requests_waiting ON warehouse.authorization_requests USING btree (requested_at, id) WHERE (state = 'queued'::text);
CREATE INDEX entities_times ON warehouse.entities USING brin (observed_at) WITH (autosummarize='on');
CREATE INDEX entities_unregistered ON warehouse.entities USING btree (id) WHERE unregistered;
CREATE TRIGGER queue_everything AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON analytics.codes FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER altered_by_delete AFTER DELETE ON landing.activity_details REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON landing.activity_list_rows REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON landing.activity_details REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON landing.activity_list_rows REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON landing.activity_details FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON landing.activity_list_rows FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON landing.activity_details REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON landing.activity_list_rows REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER kept_by_delete AFTER DELETE ON sync.activity_ledger REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.keep_ledger();
CREATE TRIGGER kept_by_truncate AFTER TRUNCATE ON sync.activity_ledger FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.keep_ledger();
CREATE TRIGGER queue_changed_zone AFTER UPDATE ON sync.service_facts FOR EACH ROW WHEN ((((old.fact IS DISTINCT FROM new.fact) OR (old.value IS DISTINCT FROM new.value)) AND (('configured_zone'::text = old.fact) OR ('configured_zone'::text = new.fact)))) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON sync.service_facts FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_new_zone AFTER INSERT ON sync.service_facts FOR EACH ROW WHEN ((new.fact = 'configured_zone'::text)) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_removed_zone AFTER DELETE ON sync.service_facts FOR EACH ROW WHEN ((old.fact = 'configured_zone'::text)) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.accepted_items REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.activities REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.entities REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.entity_scores REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.entity_social_media REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.requirement_items REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.requirements REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_delete AFTER DELETE ON warehouse.timeline_events REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.accepted_items REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.activities REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.entities REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.entity_scores REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.entity_social_media REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.requirement_items REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.requirements REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_insert AFTER INSERT ON warehouse.timeline_events REFERENCING NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.accepted_items FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.activities FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.entities FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.entity_scores FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.entity_social_media FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.requirement_items FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.requirements FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_truncate AFTER TRUNCATE ON warehouse.timeline_events FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.accepted_items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.activities REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.entities REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.entity_scores REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.entity_social_media REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered_entities('entity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.requirement_items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.requirements REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER altered_by_update AFTER UPDATE ON warehouse.timeline_events REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((COALESCE(current_setting('sync.loading'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION sync.mark_altered('activity_id');
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON warehouse.authorization_requests FOR EACH ROW EXECUTE FUNCTION warehouse.guard_authorization_request();
CREATE TRIGGER keep_all BEFORE TRUNCATE ON warehouse.authorization_requests FOR EACH STATEMENT EXECUTE FUNCTION warehouse.keep_authorization_requests();
CREATE TRIGGER keep_score_of_changed AFTER UPDATE ON warehouse.entities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION warehouse.keep_score();
CREATE TRIGGER keep_score_of_new AFTER INSERT ON warehouse.entities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION warehouse.keep_score();
CREATE TRIGGER keep_sent BEFORE DELETE ON warehouse.authorization_requests FOR EACH ROW WHEN ((old.sent_at IS NOT NULL)) EXECUTE FUNCTION warehouse.keep_authorization_requests();
CREATE TRIGGER keep_unregistered_at BEFORE INSERT OR UPDATE ON warehouse.entities FOR EACH ROW EXECUTE FUNCTION warehouse.keep_unregistered_at();
CREATE TRIGGER queue_changed AFTER UPDATE ON warehouse.activities REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON warehouse.activities FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_new AFTER INSERT ON warehouse.activities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
CREATE TRIGGER queue_registration AFTER UPDATE ON warehouse.entities FOR EACH ROW WHEN (((old.unregistered IS DISTINCT FROM new.unregistered) OR (old.unregistered_at IS DISTINCT FROM new.unregistered_at))) EXECUTE FUNCTION sync.queue_entity();
CREATE TRIGGER queue_removed AFTER DELETE ON warehouse.activities REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
ALTER TABLE ONLY sync.run_changes
    ADD CONSTRAINT run_changes_run_id_fkey FOREIGN KEY (run_id) REFERENCES sync.runs(run_id) ON DELETE CASCADE;
ALTER TABLE ONLY sync.verifications
    ADD CONSTRAINT verifications_run_id_fkey FOREIGN KEY (run_id) REFERENCES sync.runs(run_id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.accepted_items
    ADD CONSTRAINT accepted_items_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES warehouse.activities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.activities
    ADD CONSTRAINT activities_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES warehouse.entities(id);
ALTER TABLE ONLY warehouse.activities
    ADD CONSTRAINT activities_in_ledger FOREIGN KEY (id) REFERENCES sync.activity_ledger(activity_id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.entity_scores
    ADD CONSTRAINT entity_scores_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES warehouse.entities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.entity_social_media
    ADD CONSTRAINT entity_social_media_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES warehouse.entities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.requirement_items
    ADD CONSTRAINT requirement_items_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES warehouse.activities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.requirements
    ADD CONSTRAINT requirements_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES warehouse.activities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.timeline_events
    ADD CONSTRAINT timeline_events_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES warehouse.activities(id) ON DELETE CASCADE;
