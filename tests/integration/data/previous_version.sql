-- A warehouse made by version 3f61364, the last one before activity-warehouse applied migrations itself:
-- made-up data of four days, with one activity gone, one in quarantine, one counterpart erased.
-- Made by pg_dump 15 --no-owner --no-privileges --no-comments --inserts. Used by test_upgrade.py.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
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
    select
        version.activity_id, version.source, version.known_from, version.known_to,
        version.type, version.in_out_bound, version.entity_id, version.status,
        version.time_zone, version.valid_until, version.attended_at, version.completed_at,
        version.expires_at, version.created_at, version.updated_at,
        version.expires_in_time_unit, version.expires_in_amount,
        coalesce(gone.change = 'gone', false)
    from landing.activity_versions as version
    left join (
        select distinct on (told.activity_id) told.activity_id, told.change
        from sync.run_changes as told
        where told.change in ('gone', 'returned') and told.recorded_at <= at
        order by told.activity_id, told.recorded_at desc
    ) as gone on gone.activity_id = version.activity_id::text
    where version.known_from <= at and (version.known_to is null or version.known_to > at)
$$;
CREATE FUNCTION analytics.activity_as_of(at timestamp with time zone, activity uuid) RETURNS SETOF analytics.known_activity
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
    select
        version.activity_id, version.source, version.known_from, version.known_to,
        version.type, version.in_out_bound, version.entity_id, version.status,
        version.time_zone, version.valid_until, version.attended_at, version.completed_at,
        version.expires_at, version.created_at, version.updated_at,
        version.expires_in_time_unit, version.expires_in_amount,
        coalesce(
            (
                select told.change = 'gone'
                from sync.run_changes as told
                where told.activity_id = version.activity_id::text
                    and told.change in ('gone', 'returned')
                    and told.recorded_at <= at
                order by told.recorded_at desc
                limit 1
            ),
            false
        )
    from landing.activity_versions as version
    where version.activity_id = activity
        and version.known_from <= at
        and (version.known_to is null or version.known_to > at)
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
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$
    select
        (
            timestamp '1970-01-01'
            + floor(held.micros / 86400000000) * interval '1 day'
            + mod(mod(held.micros, 86400000000) + 86400000000, 86400000000)
            * interval '1 microsecond'
        ) at time zone 'UTC'
    from (
        select round(found.number * 1000) as micros
        from (
            select
                case jsonb_typeof(value)
                    when 'number' then value::text::numeric
                    when 'string' then trim(value #>> '{}')::numeric
                    when 'object' then (
                        select max(field.value::text::numeric)
                        from jsonb_each(value) as field
                        where jsonb_typeof(field.value) = 'number'
                    )
                end as number
        ) as found
    ) as held
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
CREATE FUNCTION sync.count_day(counted_day date, OUT stored bigint, OUT quarantined bigint, OUT gone bigint) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    select
        count(*) filter (
            where ledger.gone_at is null
                and ledger.unlisted_at is null
                and ledger.details_fingerprint = ledger.fingerprint
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
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE analytics.activity_funnel (
    day date,
    type text,
    type_label text,
    in_out_bound text,
    created bigint,
    pending bigint,
    accepted bigint,
    declined bigint,
    canceled bigint,
    other bigint,
    completed bigint,
    expired bigint,
    gone bigint,
    answer_rate numeric,
    acceptance_rate numeric,
    completion_rate numeric
);
CREATE FUNCTION sync.fresh_activity_funnel(days date[]) RETURNS SETOF analytics.activity_funnel
    LANGUAGE sql STABLE
    AS $$
    with counted as (
        select
            ledger.day,
            activity.type,
            activity.in_out_bound,
            count(*) as created,
            count(*) filter (where status.stage = 'pending') as pending,
            count(*) filter (where status.stage = 'accepted') as accepted,
            count(*) filter (where status.stage = 'declined') as declined,
            count(*) filter (where status.stage = 'canceled') as canceled,
            count(*) filter (where status.stage is null) as other,
            count(*) filter (
                where status.stage = 'accepted'
                    and (activity.status = 'COMPLETED' or activity.completed_at is not null)
            ) as completed,
            count(*) filter (where activity.status = 'EXPIRED') as expired,
            count(*) filter (where activity.gone_at is not null) as gone
        from warehouse.activities as activity
        left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
        left join analytics.codes as status
            on status.kind = 'status' and status.code = activity.status
        where days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        group by ledger.day, activity.type, activity.in_out_bound
    )
    select
        counted.day,
        counted.type,
        type.label,
        counted.in_out_bound,
        counted.created,
        counted.pending,
        counted.accepted,
        counted.declined,
        counted.canceled,
        counted.other,
        counted.completed,
        counted.expired,
        counted.gone,
        round(
            (counted.accepted + counted.declined)::numeric
            / nullif(counted.accepted + counted.declined + counted.canceled, 0), 4
        ),
        round(
            counted.accepted::numeric / nullif(counted.accepted + counted.declined, 0), 4
        ),
        round(counted.completed::numeric / nullif(counted.accepted, 0), 4)
    from counted
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = counted.type
$$;
CREATE TABLE analytics.counterpart_activity (
    entity_id uuid,
    activities bigint,
    received bigint,
    sent bigint,
    pending bigint,
    accepted bigint,
    declined bigint,
    canceled bigint,
    first_contact_at timestamp with time zone,
    last_contact_at timestamp with time zone
);
CREATE FUNCTION sync.fresh_counterpart_activity(entities uuid[]) RETURNS SETOF analytics.counterpart_activity
    LANGUAGE sql STABLE
    AS $$
    select
        entity.id,
        count(activity.id),
        count(*) filter (where activity.in_out_bound = 'IN'),
        count(*) filter (where activity.in_out_bound = 'OUT'),
        count(*) filter (where status.stage = 'pending'),
        count(*) filter (where status.stage = 'accepted'),
        count(*) filter (where status.stage = 'declined'),
        count(*) filter (where status.stage = 'canceled'),
        min(activity.created_at),
        max(greatest(activity.created_at, activity.attended_at, activity.completed_at))
    from warehouse.entities as entity
    left join warehouse.activities as activity on activity.entity_id = entity.id
    left join analytics.codes as status on status.kind = 'status' and status.code = activity.status
    where entities is null or entity.id = any(entities)
    group by entity.id
$$;
CREATE TABLE analytics.daily_status (
    day date,
    status text,
    status_label text,
    activities bigint
);
CREATE FUNCTION sync.fresh_daily_status() RETURNS SETOF analytics.daily_status
    LANGUAGE sql STABLE
    AS $$
    with steps as (
        select day, status, sum(change) as change
        from analytics.daily_status_changes
        group by day, status
    ),
    days as (
        select series.day::date as day
        from generate_series(
            (select min(steps.day) from steps)::timestamp,
            (
                now() at time zone coalesce(
                    (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
                )
            )::date::timestamp,
            interval '1 day'
        ) as series (day)
    ),
    grid as (
        select days.day, entered.status
        from days
        cross join (select distinct status from steps where change > 0) as entered
    )
    select
        grid.day,
        grid.status,
        label.label,
        sum(coalesce(steps.change, 0)) over (partition by grid.status order by grid.day)::bigint
    from grid
    left join steps on steps.day = grid.day and steps.status is not distinct from grid.status
    left join analytics.codes as label on label.kind = 'status' and label.code = grid.status
$$;
CREATE TABLE analytics.daily_status_changes (
    created_day date,
    day date,
    status text,
    change bigint
);
CREATE FUNCTION sync.fresh_daily_status_changes(days date[]) RETURNS SETOF analytics.daily_status_changes
    LANGUAGE sql STABLE
    AS $$
    with zone as (
        select
            coalesce(
                (select value from sync.service_facts where fact = 'configured_zone'), 'UTC'
            ) as name
    ),
    activity as (
        select
            stored.id,
            ledger.day,
            stored.in_out_bound,
            stored.status,
            coalesce(
                case when stored.details_fetched_at is not null then stored.updated_at end,
                stored.created_at,
                stored.first_seen_at
            ) as settled_at
        from warehouse.activities as stored
        left join sync.activity_ledger as ledger on ledger.activity_id = stored.id
        where days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
    ),
    events as (
        select
            event.activity_id,
            activity.day as created_day,
            0 as is_current,
            event.date_time as at,
            event.position,
            case
                when event.status = 'SENT' and activity.in_out_bound = 'IN' then 'ACTION_REQUIRED'
                when event.status = 'ACTION_REQUIRED' and activity.in_out_bound = 'OUT' then 'SENT'
                else event.status
            end as status
        from warehouse.timeline_events as event
        inner join activity on activity.id = event.activity_id
        where event.date_time is not null
        union all
        select
            activity.id,
            activity.day,
            1,
            activity.settled_at,
            0,
            activity.status
        from activity
    ),
    moves as (
        select
            created_day,
            greatest(at, max(at) over earlier) as at,
            status,
            lag(status) over life as status_before,
            row_number() over life = 1 as first
        from events
        window
            life as (partition by activity_id order by is_current, at, position),
            earlier as (
                partition by activity_id
                order by is_current, at, position
                rows between unbounded preceding and 1 preceding
            )
    )
    select
        moves.created_day,
        (moves.at at time zone zone.name)::date as day,
        step.status,
        sum(step.change)
    from moves
    cross join zone
    cross join lateral (
        values (moves.status, 1), (moves.status_before, case when moves.first then 0 else -1 end)
    ) as step (status, change)
    where moves.first or moves.status is distinct from moves.status_before
    group by moves.created_day, 2, step.status
    having sum(step.change) <> 0
$$;
CREATE TABLE analytics.decision_times (
    month date,
    type text,
    type_label text,
    in_out_bound text,
    attended bigint,
    created_to_attended_p50 interval,
    created_to_attended_p90 interval,
    created_to_attended_p95 interval,
    completed bigint,
    attended_to_completed_p50 interval,
    attended_to_completed_p90 interval,
    attended_to_completed_p95 interval,
    created_to_completed_p50 interval,
    created_to_completed_p90 interval,
    created_to_completed_p95 interval
);
CREATE FUNCTION sync.fresh_decision_times(days date[]) RETURNS SETOF analytics.decision_times
    LANGUAGE sql STABLE
    AS $$
    with timed as (
        select
            date_trunc('month', ledger.day)::date as month,
            activity.type,
            activity.in_out_bound,
            activity.attended_at - activity.created_at as to_attended,
            activity.completed_at - activity.attended_at as to_completed,
            activity.completed_at - activity.created_at as in_all
        from warehouse.activities as activity
        left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
        where (activity.attended_at is not null or activity.completed_at is not null)
            and (
                days is null
                or ledger.day = any(days)
                or (ledger.day is null and array_position(days, null) is not null)
            )
    ),
    measured as (
        select
            month,
            type,
            in_out_bound,
            count(to_attended) as attended,
            percentile_cont(array[0.5, 0.9, 0.95])
                within group (order by to_attended) as to_attended,
            count(in_all) as completed,
            percentile_cont(array[0.5, 0.9, 0.95])
                within group (order by to_completed) as to_completed,
            percentile_cont(array[0.5, 0.9, 0.95]) within group (order by in_all) as in_all
        from timed
        group by month, type, in_out_bound
    )
    select
        measured.month,
        measured.type,
        type.label,
        measured.in_out_bound,
        measured.attended,
        measured.to_attended[1],
        measured.to_attended[2],
        measured.to_attended[3],
        measured.completed,
        measured.to_completed[1],
        measured.to_completed[2],
        measured.to_completed[3],
        measured.in_all[1],
        measured.in_all[2],
        measured.in_all[3]
    from measured
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = measured.type
$$;
CREATE TABLE analytics.requirement_outcomes (
    day date,
    code text,
    code_label text,
    asked bigint,
    accepted bigint,
    partly_accepted bigint,
    declined bigint,
    pending bigint,
    unanswered bigint,
    unasked bigint,
    acceptance_rate numeric
);
CREATE FUNCTION sync.fresh_requirement_outcomes(days date[]) RETURNS SETOF analytics.requirement_outcomes
    LANGUAGE sql STABLE
    AS $$
    with answers as (
        select
            requirement.activity_id,
            requirement.code,
            ledger.day,
            activity.status,
            bool_or(requirement.disposition = 'requested') as asked,
            bool_or(requirement.disposition = 'accepted') as accepted,
            bool_or(requirement.disposition = 'declined') as declined
        from warehouse.requirements as requirement
        inner join warehouse.activities as activity on activity.id = requirement.activity_id
        left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
        where days is null
            or ledger.day = any(days)
            or (ledger.day is null and array_position(days, null) is not null)
        group by requirement.activity_id, requirement.code, ledger.day, activity.status
    ),
    counted as (
        select
            answers.day,
            answers.code,
            count(*) filter (where answers.asked) as asked,
            count(*) filter (
                where answers.asked and answers.accepted and not answers.declined
            ) as accepted,
            count(*) filter (
                where answers.asked and answers.accepted and answers.declined
            ) as partly_accepted,
            count(*) filter (
                where answers.asked and answers.declined and not answers.accepted
            ) as declined,
            count(*) filter (
                where answers.asked
                    and not answers.accepted
                    and not answers.declined
                    and status.final is not true
            ) as pending,
            count(*) filter (
                where answers.asked
                    and not answers.accepted
                    and not answers.declined
                    and status.final
            ) as unanswered,
            count(*) filter (where not answers.asked) as unasked
        from answers
        left join analytics.codes as status
            on status.kind = 'status' and status.code = answers.status
        group by answers.day, answers.code
    )
    select
        counted.day,
        counted.code,
        requirement.label,
        counted.asked,
        counted.accepted,
        counted.partly_accepted,
        counted.declined,
        counted.pending,
        counted.unanswered,
        counted.unasked,
        round(
            (counted.accepted + counted.partly_accepted)::numeric
            / nullif(counted.accepted + counted.partly_accepted + counted.declined, 0), 4
        )
    from counted
    left join analytics.codes as requirement
        on requirement.kind = 'requirement' and requirement.code = counted.code
$$;
CREATE FUNCTION sync.queue_activities() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (activity_id, entity_id)
        select id, entity_id from written;
    elsif tg_op = 'UPDATE' then
        insert into sync.refresh_queue (activity_id, entity_id)
        select id, entity_id from written
        union
        select id, entity_id from replaced;
    else
        -- The ledger row may go as well, before the queue is read.
        insert into sync.refresh_queue (activity_id, entity_id, day)
        select replaced.id, replaced.entity_id, ledger.day
        from replaced
        left join sync.activity_ledger as ledger on ledger.activity_id = replaced.id;
    end if;
    return null;
end
$$;
CREATE FUNCTION sync.queue_days() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (day)
        select distinct day from written where day is not null;
    elsif tg_op = 'UPDATE' then
        insert into sync.refresh_queue (activity_id, day) values (new.activity_id, old.day);
    else
        insert into sync.refresh_queue (activity_id, day)
        select activity_id, day from replaced;
    end if;
    return null;
end
$$;
CREATE FUNCTION sync.queue_entities() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (entity_id) select id from written;
    else
        insert into sync.refresh_queue (entity_id) select id from replaced;
    end if;
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
CREATE FUNCTION warehouse.guard_authorization_request() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        if new.state <> 'queued' then
            raise exception 'an authorization request begins as queued' using errcode = 'check_violation';
        end if;
        return new;
    end if;
    if new.state <> old.state and (old.state, new.state) not in (
        ('queued', 'sending'), ('queued', 'failed'),
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'rejected'), ('sending', 'failed'), ('sending', 'unknown'),
        ('sent', 'linked'),
        ('unknown', 'linked'), ('unknown', 'queued'), ('unknown', 'failed'),
        ('rejected', 'queued'), ('failed', 'queued')
    ) then
        raise exception 'an authorization request does not go from % to %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state in ('sending', 'sent', 'unknown', 'linked')
        and (
            new.description, new.phone_country_code, new.phone_number,
            new.validity_time_unit, new.validity_amount, new.requirements
        ) is distinct from (
            old.description, old.phone_country_code, old.phone_number,
            old.validity_time_unit, old.validity_amount, old.requirements
        )
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
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
    CONSTRAINT codes_stage_check CHECK ((stage = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'canceled'::text])))
);
CREATE TABLE sync.activity_ledger (
    activity_id uuid NOT NULL,
    day date,
    list_digest bytea,
    fingerprint bytea,
    listed_at timestamp with time zone,
    details_fingerprint bytea,
    details_digest bytea,
    mapping_version smallint,
    checked_at timestamp with time zone,
    service_time timestamp with time zone,
    final boolean DEFAULT false NOT NULL,
    deadline_at timestamp with time zone,
    unlisted_at timestamp with time zone,
    gone_at timestamp with time zone
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
    values_erased_at timestamp with time zone
);
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
    observed_at timestamp with time zone NOT NULL
);
CREATE VIEW analytics.activities AS
 SELECT activity.id,
    ledger.day,
    activity.type,
    type.label AS type_label,
    activity.type_name,
    activity.in_out_bound,
    direction.label AS in_out_bound_label,
    activity.status,
    status.label AS status_label,
    status.stage,
    COALESCE(status.final, false) AS final,
    activity.entity_id,
        CASE
            WHEN ((entity.unregistered IS NOT TRUE) AND ( SELECT analytics.may_see_personal() AS may_see_personal)) THEN entity.name
            ELSE NULL::text
        END AS entity_name,
    entity.type AS entity_type,
    entity_type.label AS entity_type_label,
    entity.score AS entity_score,
    entity.scoring_level AS entity_scoring_level,
    entity.unregistered AS entity_unregistered,
    activity.time_zone,
    activity.created_at,
    activity.updated_at,
    activity.valid_until,
    activity.attended_at,
    activity.completed_at,
    activity.expires_at,
    activity.expires_in_time_unit,
    activity.expires_in_amount,
    (activity.attended_at - activity.created_at) AS created_to_attended,
    (activity.completed_at - activity.attended_at) AS attended_to_completed,
    activity.first_seen_at,
    activity.details_fetched_at,
    activity.gone_at
   FROM ((((((warehouse.activities activity
     LEFT JOIN sync.activity_ledger ledger ON ((ledger.activity_id = activity.id)))
     LEFT JOIN warehouse.entities entity ON ((entity.id = activity.entity_id)))
     LEFT JOIN analytics.codes type ON (((type.kind = 'activity_type'::text) AND (type.code = activity.type))))
     LEFT JOIN analytics.codes direction ON (((direction.kind = 'in_out_bound'::text) AND (direction.code = activity.in_out_bound))))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = activity.status))))
     LEFT JOIN analytics.codes entity_type ON (((entity_type.kind = 'entity_type'::text) AND (entity_type.code = entity.type))));
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
    CONSTRAINT authorization_requests_linked CHECK (((state = 'linked'::text) = (activity_id IS NOT NULL))),
    CONSTRAINT authorization_requests_sent CHECK (
CASE
    WHEN (state = 'queued'::text) THEN (sent_at IS NULL)
    WHEN (state = 'failed'::text) THEN true
    ELSE (sent_at IS NOT NULL)
END),
    CONSTRAINT authorization_requests_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'linked'::text, 'rejected'::text, 'unknown'::text, 'failed'::text])))
);
CREATE VIEW analytics.authorization_outcomes AS
 SELECT request.id AS request_id,
    request.reference,
    request.source,
    request.state,
    request.attempts,
    request.requested_at,
    request.sent_at,
    request.activity_id,
    activity.status AS activity_status,
    activity.created_at AS activity_created_at,
    activity.valid_until,
    activity.attended_at,
    activity.completed_at,
    (activity.attended_at - activity.created_at) AS time_to_answer,
    (activity.completed_at - activity.created_at) AS time_to_completion,
    COALESCE(codes.final, false) AS final
   FROM ((warehouse.authorization_requests request
     LEFT JOIN warehouse.activities activity ON ((activity.id = request.activity_id)))
     LEFT JOIN analytics.codes codes ON (((codes.kind = 'status'::text) AND (codes.code = activity.status))));
CREATE TABLE warehouse.entity_scores (
    entity_id uuid NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    score numeric,
    scoring_level text
);
CREATE VIEW analytics.counterparts AS
 SELECT entity.id AS entity_id,
    entity.type,
    type.label AS type_label,
        CASE
            WHEN ((entity.unregistered IS NOT TRUE) AND ( SELECT analytics.may_see_personal() AS may_see_personal)) THEN entity.name
            ELSE NULL::text
        END AS name,
    entity.cifcode,
    entity.unregistered,
    entity.created_at,
    entity.score,
    entity.scoring_level,
    level.label AS scoring_level_label,
    ( SELECT jsonb_agg(jsonb_build_object('observed_at', kept.observed_at, 'score', kept.score, 'scoring_level', kept.scoring_level) ORDER BY kept.observed_at) AS jsonb_agg
           FROM warehouse.entity_scores kept
          WHERE (kept.entity_id = entity.id)) AS score_history,
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
   FROM (((analytics.counterpart_activity counted
     JOIN warehouse.entities entity ON ((entity.id = counted.entity_id)))
     LEFT JOIN analytics.codes type ON (((type.kind = 'entity_type'::text) AND (type.code = entity.type))))
     LEFT JOIN analytics.codes level ON (((level.kind = 'scoring_level'::text) AND (level.code = entity.scoring_level))));
CREATE TABLE warehouse.entity_social_media (
    entity_id uuid NOT NULL,
    "position" integer NOT NULL,
    media text,
    url text
);
CREATE VIEW analytics.entity_profiles WITH (security_barrier='true') AS
 SELECT entity.id AS entity_id,
    entity.name,
    entity.avatar,
    ( SELECT jsonb_agg(jsonb_build_object('media', link.media, 'url', link.url) ORDER BY link."position") AS jsonb_agg
           FROM warehouse.entity_social_media link
          WHERE (link.entity_id = entity.id)) AS social_media
   FROM warehouse.entities entity
  WHERE (entity.unregistered IS NOT TRUE);
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
CREATE VIEW analytics.expiring_shares AS
 SELECT activity.id AS activity_id,
    accepted."position",
    accepted.code,
    requirement.label AS code_label,
    accepted.type,
    accepted.category,
    ( SELECT array_agg(item.code ORDER BY item."position") AS array_agg
           FROM warehouse.accepted_items item
          WHERE ((item.activity_id = activity.id) AND (item.requirement_position = accepted."position"))) AS items,
    activity.type AS activity_type,
    activity.in_out_bound,
    activity.status,
    activity.entity_id,
    activity.expires_at,
    (activity.expires_at - now()) AS time_left
   FROM (((warehouse.activities activity
     JOIN warehouse.requirements accepted ON (((accepted.activity_id = activity.id) AND (accepted.disposition = 'accepted'::text))))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = activity.status))))
     LEFT JOIN analytics.codes requirement ON (((requirement.kind = 'requirement'::text) AND (requirement.code = accepted.code))))
  WHERE ((activity.expires_at > now()) AND (status.shares IS NOT FALSE) AND (activity.gone_at IS NULL));
CREATE TABLE sync.coverage (
    day date NOT NULL,
    listed bigint NOT NULL,
    stored bigint NOT NULL,
    quarantined bigint NOT NULL,
    gone bigint NOT NULL,
    verified_at timestamp with time zone,
    unverified text,
    listed_digest bytea NOT NULL,
    run_id text
);
CREATE TABLE sync.service_facts (
    fact text NOT NULL,
    value text NOT NULL,
    learned_at timestamp with time zone NOT NULL,
    previous_value text,
    changed_at timestamp with time zone
);
CREATE TABLE sync.view_versions (
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    refreshed_at timestamp with time zone
);
CREATE VIEW analytics.freshness AS
 WITH days AS (
         SELECT coverage.day,
            coverage.verified_at,
            ((coverage.verified_at IS NOT NULL) AND (coverage.unverified IS NULL) AND (coverage.listed = (coverage.stored + coverage.quarantined))) AS complete,
            coverage.quarantined
           FROM sync.coverage
        ), first_gap AS (
         SELECT min(candidates.candidate) AS day
           FROM ( SELECT min(days_1.day) AS candidate
                   FROM days days_1
                  WHERE (NOT days_1.complete)
                UNION ALL
                 SELECT (min(this.day) + 1)
                   FROM days this
                  WHERE (NOT (EXISTS ( SELECT
                           FROM days following
                          WHERE (following.day = (this.day + 1)))))) candidates
        )
 SELECT min(days.day) AS covered_from,
    NULLIF((max(first_gap.day) - 1), (min(days.day) - 1)) AS complete_through,
    max(days.day) AS newest_day,
    count(*) FILTER (WHERE (NOT days.complete)) AS incomplete_days,
    (COALESCE(sum(days.quarantined), (0)::numeric))::bigint AS quarantined,
    min(days.verified_at) AS oldest_verification,
    max(days.verified_at) AS newest_verification,
    ( SELECT min(view_versions.refreshed_at) AS min
           FROM sync.view_versions) AS refreshed_at,
    COALESCE(( SELECT service_facts.value
           FROM sync.service_facts
          WHERE (service_facts.fact = 'configured_zone'::text)), 'UTC'::text) AS time_zone
   FROM (days
     CROSS JOIN first_gap);
CREATE VIEW analytics.open_activities AS
 SELECT activity.id,
    ledger.day,
    activity.type,
    type.label AS type_label,
    activity.in_out_bound,
    activity.status,
    status.label AS status_label,
        CASE
            WHEN (activity.status = 'ACTION_REQUIRED'::text) THEN 'us'::text
            WHEN (activity.status = 'SENT'::text) THEN 'the counterpart'::text
            WHEN (status.stage = 'accepted'::text) THEN 'completion'::text
            ELSE NULL::text
        END AS waiting_for,
    activity.entity_id,
    activity.created_at,
    (now() - activity.created_at) AS age,
    activity.valid_until,
        CASE
            WHEN (status.stage = 'pending'::text) THEN (activity.valid_until - now())
            ELSE NULL::interval
        END AS time_left,
    COALESCE(((status.stage = 'pending'::text) AND (activity.valid_until <= now())), false) AS overdue,
    activity.details_fetched_at
   FROM (((sync.activity_ledger ledger
     JOIN warehouse.activities activity ON ((activity.id = ledger.activity_id)))
     LEFT JOIN analytics.codes type ON (((type.kind = 'activity_type'::text) AND (type.code = activity.type))))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = activity.status))))
  WHERE ((NOT ledger.final) AND (ledger.gone_at IS NULL));
CREATE TABLE sync.privacy (
    applied boolean DEFAULT true NOT NULL,
    expired_values text DEFAULT 'hide'::text NOT NULL,
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT privacy_applied_check CHECK (applied),
    CONSTRAINT privacy_expired_values_check CHECK ((expired_values = ANY (ARRAY['hide'::text, 'erase'::text, 'keep'::text])))
);
CREATE VIEW analytics.shared_values WITH (security_barrier='true') AS
 SELECT activity.id AS activity_id,
    activity.entity_id,
    shared.requirement_position,
    shared.item_position,
    shared.requirement_code,
    shared.item_code,
    shared.type,
    shared.value,
    activity.expires_at
   FROM (((warehouse.activities activity
     LEFT JOIN warehouse.entities entity ON ((entity.id = activity.entity_id)))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = activity.status))))
     CROSS JOIN LATERAL ( SELECT requirement."position" AS requirement_position,
            NULL::integer AS item_position,
            requirement.code AS requirement_code,
            NULL::text AS item_code,
            requirement.type,
            requirement.value
           FROM warehouse.requirements requirement
          WHERE ((requirement.activity_id = activity.id) AND (requirement.value IS NOT NULL))
        UNION ALL
         SELECT item.requirement_position,
            item."position",
            item.requirement_code,
            item.code,
            item.type,
            item.value
           FROM warehouse.accepted_items item
          WHERE ((item.activity_id = activity.id) AND (item.value IS NOT NULL))) shared)
  WHERE ((activity.gone_at IS NULL) AND (entity.unregistered IS NOT TRUE) AND (((status.shares IS NOT FALSE) AND ((activity.expires_at IS NULL) OR (activity.expires_at > now()))) OR ( SELECT (privacy.expired_values = 'keep'::text)
           FROM sync.privacy privacy)));
CREATE TABLE warehouse.timeline_events (
    activity_id uuid NOT NULL,
    "position" integer NOT NULL,
    status text,
    date_time timestamp with time zone,
    message text,
    http_request_id text
);
CREATE VIEW analytics.status_intervals AS
 SELECT event.activity_id,
    ledger.day,
    event."position",
    event.status,
    status.label AS status_label,
    event.date_time AS from_at,
    following.date_time AS to_at,
    following.status AS next_status,
    (following.date_time - event.date_time) AS duration
   FROM (((warehouse.timeline_events event
     LEFT JOIN sync.activity_ledger ledger ON ((ledger.activity_id = event.activity_id)))
     LEFT JOIN analytics.codes status ON (((status.kind = 'status'::text) AND (status.code = event.status))))
     LEFT JOIN LATERAL ( SELECT next.date_time,
            next.status
           FROM warehouse.timeline_events next
          WHERE ((next.activity_id = event.activity_id) AND (ROW(next.date_time, next."position") > ROW(event.date_time, event."position")))
          ORDER BY next.date_time, next."position"
         LIMIT 1) following ON (true))
  WHERE (event.date_time IS NOT NULL);
CREATE TABLE sync.unknown_values (
    kind text NOT NULL,
    value text NOT NULL,
    sample_activity_id uuid,
    first_seen_at timestamp with time zone NOT NULL
);
CREATE VIEW analytics.unlabelled_codes AS
 SELECT seen.kind,
    seen.value AS code,
    seen.first_seen_at,
    seen.sample_activity_id
   FROM sync.unknown_values seen
  WHERE ((seen.kind <> ALL (ARRAY['field'::text, 'list field'::text])) AND (NOT (EXISTS ( SELECT
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
CREATE TABLE landing.activity_list_rows (
    activity_id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    digest bytea NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY landing.activity_list_rows ALTER COLUMN body SET STATISTICS 0;
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
            'list'::text,
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
     CROSS JOIN LATERAL ( SELECT landing.read_json(version.body) AS fields) parsed);
CREATE TABLE sync._yoyo_log (
    id character varying(36) NOT NULL,
    migration_hash character varying(64),
    migration_id character varying(255),
    operation character varying(10),
    username character varying(255),
    hostname character varying(255),
    comment character varying(255),
    created_at_utc timestamp without time zone
);
CREATE TABLE sync._yoyo_version (
    version integer NOT NULL,
    installed_at_utc timestamp without time zone
);
CREATE TABLE sync.erased_entities (
    entity_id uuid NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
CREATE TABLE sync.erasures (
    activity_id uuid NOT NULL,
    reason text NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    "values" bigint NOT NULL,
    responses bigint NOT NULL,
    payloads bigint NOT NULL,
    CONSTRAINT erasures_reason_check CHECK ((reason = ANY (ARRAY['expired'::text, 'unregistered'::text, 'request'::text])))
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
CREATE TABLE sync.refresh_queue (
    activity_id uuid,
    entity_id uuid,
    day date
);
CREATE TABLE sync.run_changes (
    run_id text NOT NULL,
    activity_id text NOT NULL,
    change text NOT NULL,
    fields text[],
    recorded_at timestamp with time zone NOT NULL
);
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
    bytes_received bigint DEFAULT 0 NOT NULL
);
CREATE TABLE sync.schema_migrations (
    migration_hash character varying(64) NOT NULL,
    migration_id character varying(255),
    applied_at_utc timestamp without time zone
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
    finished_at timestamp with time zone NOT NULL
);
CREATE TABLE sync.yoyo_lock (
    locked integer DEFAULT 1 NOT NULL,
    ctime timestamp without time zone,
    pid integer NOT NULL
);
CREATE TABLE warehouse.requirement_items (
    activity_id uuid NOT NULL,
    disposition text NOT NULL,
    requirement_position integer NOT NULL,
    "position" integer NOT NULL,
    code text,
    CONSTRAINT requirement_items_disposition_check CHECK ((disposition = ANY (ARRAY['requested'::text, 'declined'::text])))
);
INSERT INTO analytics.activity_funnel VALUES
	('2026-03-30', 'AT_004', 'authorization request', 'OUT', 2, 0, 2, 0, 0, 0, 0, 0, 0, 1.0000, 1.0000, 0.0000),
	('2026-03-29', 'AT_001', 'request details', 'OUT', 1, 0, 1, 0, 0, 0, 1, 0, 0, 1.0000, 1.0000, 1.0000),
	('2026-03-30', 'AT_001', 'request details', 'OUT', 1, 0, 1, 0, 0, 0, 0, 0, 0, 1.0000, 1.0000, 0.0000),
	('2026-03-31', 'AT_004', 'authorization request', 'IN', 1, 0, 1, 0, 0, 0, 1, 0, 0, 1.0000, 1.0000, 1.0000),
	('2026-03-30', 'AT_004', 'authorization request', 'IN', 2, 1, 0, 1, 0, 0, 0, 0, 1, 1.0000, 0.0000, NULL),
	('2026-03-31', 'AT_002', 'share details', 'IN', 1, 0, 1, 0, 0, 0, 1, 0, 0, 1.0000, 1.0000, 1.0000),
	('2026-03-31', 'AT_001', 'request details', 'OUT', 2, 1, 1, 0, 0, 0, 0, 0, 0, 1.0000, 1.0000, 0.0000),
	('2026-03-31', 'AT_003', 'swap details', 'IN', 1, 1, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL),
	('2026-03-29', 'AT_004', 'authorization request', 'OUT', 1, 0, 1, 0, 0, 0, 0, 0, 0, 1.0000, 1.0000, 0.0000),
	('2026-03-29', 'AT_003', 'swap details', 'IN', 1, 1, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL),
	('2026-03-31', 'AT_004', 'authorization request', 'OUT', 1, 0, 1, 0, 0, 0, 0, 0, 0, 1.0000, 1.0000, 0.0000);
INSERT INTO analytics.codes VALUES
	('activity_type', 'AT_001', 'request details', NULL, NULL, NULL, NULL, NULL, NULL),
	('activity_type', 'AT_002', 'share details', NULL, NULL, NULL, NULL, NULL, NULL),
	('activity_type', 'AT_003', 'swap details', NULL, NULL, NULL, NULL, NULL, NULL),
	('activity_type', 'AT_004', 'authorization request', NULL, NULL, NULL, NULL, NULL, NULL),
	('in_out_bound', 'IN', 'received', NULL, NULL, NULL, NULL, NULL, NULL),
	('in_out_bound', 'OUT', 'sent', NULL, NULL, NULL, NULL, NULL, NULL),
	('entity_type', 'INDIVIDUAL', 'individual', NULL, NULL, NULL, NULL, NULL, NULL),
	('entity_type', 'BUSINESS', 'business', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_001', 'biometric face flow', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_002', 'structured values', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_003', 'images', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_004', 'values or images', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement_type', 'RTP_005', 'values and images', NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_001', 'identity', NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_002', 'background', NULL, NULL, NULL, NULL, NULL, NULL),
	('category', 'RQC_003', 'document', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_001', 'face authentication', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_002', 'identity trust', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_003', 'selfie', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_004', 'personal information', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_005', 'nationality', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_006', 'identity document', NULL, NULL, NULL, NULL, NULL, NULL),
	('requirement', 'RQ_007', 'address', NULL, NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_001', 'member since', 'RQ_002', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_002', 'score', 'RQ_002', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_003', 'score level', 'RQ_002', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDT_004', 'verification time', 'RQ_002', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_001', 'profile name', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_002', 'full name', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_003', 'surname', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_004', 'given names', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_005', 'birth date', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_006', 'gender', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'PIF_007', 'marital status', 'RQ_004', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_001', 'front image', 'RQ_006', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_002', 'back image', 'RQ_006', NULL, NULL, NULL, NULL, NULL),
	('item', 'IDC_003', 'document information', 'RQ_006', NULL, NULL, NULL, NULL, NULL),
	('time_unit', 'HOURS', 'hours', NULL, NULL, NULL, NULL, NULL, NULL),
	('time_unit', 'DAYS', 'days', NULL, NULL, NULL, NULL, NULL, NULL),
	('status', 'SENT', 'sent, not answered yet', NULL, false, 'pending', false, NULL, NULL),
	('status', 'ACTION_REQUIRED', 'received, to be answered', NULL, false, 'pending', false, NULL, NULL),
	('status', 'ACCEPTED', 'approved in whole or in part', NULL, false, 'accepted', true, NULL, NULL),
	('status', 'COMPLETED', 'finalised by both', NULL, true, 'accepted', true, NULL, NULL),
	('status', 'DECLINED', 'refused', NULL, true, 'declined', false, NULL, NULL),
	('status', 'CANCELED', 'not answered in time', NULL, true, 'canceled', false, NULL, NULL),
	('status', 'EXPIRED', 'sharing period over', NULL, true, 'accepted', false, NULL, NULL),
	('scoring_level', 'POOR', 'poor: 300 to 499', NULL, NULL, NULL, NULL, 300, 499),
	('scoring_level', 'FAIR', 'fair: 500 to 649', NULL, NULL, NULL, NULL, 500, 649),
	('scoring_level', 'GOOD', 'good: 650 to 749', NULL, NULL, NULL, NULL, 650, 749),
	('scoring_level', 'EXCELLENT', 'excellent: 750 to 850', NULL, NULL, NULL, NULL, 750, 850),
	('scoring_level', 'EXCELENT', 'excellent: 750 to 850', NULL, NULL, NULL, NULL, 750, 850);
INSERT INTO analytics.counterpart_activity VALUES
	('06a32c59-22fd-40e4-a554-4a09f000e6d8', 2, 1, 1, 0, 2, 0, 0, '2026-03-29 15:58:55.498+00', '2026-03-31 18:11:43.183+00'),
	('6f8034e6-f706-4fb0-9b75-30e84f702310', 1, 0, 1, 0, 1, 0, 0, '2026-03-30 09:07:09.571+00', '2026-03-30 11:37:00.971+00'),
	('f6d628c2-9eb9-4073-a437-ceca125bf8ad', 1, 0, 1, 0, 1, 0, 0, '2026-03-30 19:42:59.035+00', '2026-03-30 19:42:59.044+00'),
	('f0bffd33-4e2d-458d-8826-23da12c02f62', 1, 0, 1, 0, 1, 0, 0, '2026-03-31 19:15:28.672+00', '2026-03-31 20:49:53.939+00'),
	('d0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', 3, 1, 2, 0, 2, 1, 0, '2026-03-30 15:20:01.831+00', '2026-04-01 01:00:36.416+00'),
	('72031119-dcf4-4084-962d-05d564992705', 1, 0, 1, 0, 1, 0, 0, '2026-03-29 16:32:32.416+00', '2026-03-30 21:38:46.372+00'),
	('91ade701-8a88-46cd-9234-2713348a6d37', 3, 3, 0, 2, 1, 0, 0, '2026-03-29 17:35:59.6+00', '2026-03-31 12:43:37.086+00'),
	('13a49057-b187-4854-97d1-284f299123e5', 1, 1, 0, 1, 0, 0, 0, '2026-03-31 12:46:02.075+00', '2026-03-31 12:46:02.075+00'),
	('1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', 1, 0, 1, 1, 0, 0, 0, '2026-03-31 17:15:03.153+00', '2026-03-31 17:15:03.153+00');
INSERT INTO analytics.daily_status_changes VALUES
	('2026-03-30', '2026-03-30', 'ACTION_REQUIRED', 1),
	('2026-03-31', '2026-03-31', 'ACTION_REQUIRED', 1),
	('2026-03-29', '2026-03-31', 'COMPLETED', 1),
	('2026-03-31', '2026-03-31', 'COMPLETED', 2),
	('2026-03-29', '2026-03-31', 'ACCEPTED', -1),
	('2026-03-29', '2026-03-29', 'SENT', 1),
	('2026-03-29', '2026-03-30', 'SENT', -1),
	('2026-03-30', '2026-03-30', 'DECLINED', 1),
	('2026-03-31', '2026-03-31', 'ACCEPTED', 1),
	('2026-03-29', '2026-03-30', 'ACCEPTED', 1),
	('2026-03-31', '2026-04-01', 'SENT', -1),
	('2026-03-31', '2026-03-31', 'SENT', 2),
	('2026-03-29', '2026-03-29', 'ACCEPTED', 1),
	('2026-03-31', '2026-04-01', 'ACCEPTED', 1),
	('2026-03-30', '2026-03-30', 'ACCEPTED', 3),
	('2026-03-29', '2026-03-29', 'ACTION_REQUIRED', 1);
INSERT INTO analytics.decision_times VALUES
	('2026-03-01', 'AT_001', 'request details', 'OUT', 3, '01:34:25.267', '04:40:25.8182', '05:03:40.8871', 1, '1 day 20:45:51.729', '1 day 20:45:51.729', '1 day 20:45:51.729', '2 days 02:12:47.685', '2 days 02:12:47.685', '2 days 02:12:47.685'),
	('2026-03-01', 'AT_002', 'share details', 'IN', 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, '00:01:54.814', '00:01:54.814', '00:01:54.814'),
	('2026-03-01', 'AT_004', 'authorization request', 'IN', 2, '00:25:44.3375', '00:46:19.8059', '00:48:54.23945', 1, '01:43:25.368', '01:43:25.368', '01:43:25.368', '02:34:54.041', '02:34:54.041', '02:34:54.041'),
	('2026-03-01', 'AT_004', 'authorization request', 'OUT', 4, '05:51:54.0715', '23:08:32.7921', '26:07:23.37405', 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO analytics.requirement_outcomes VALUES
	('2026-03-30', 'RQ_003', 'selfie', 2, 0, 0, 1, 1, 0, 0, 0.0000),
	('2026-03-30', 'RQ_004', 'personal information', 1, 0, 0, 1, 0, 0, 0, 0.0000),
	('2026-03-30', 'RQ_006', 'identity document', 5, 3, 0, 1, 1, 0, 0, 0.7500),
	('2026-03-30', 'RQ_007', 'address', 1, 0, 0, 1, 0, 0, 0, 0.0000),
	('2026-03-29', 'RQ_005', 'nationality', 2, 1, 0, 0, 1, 0, 0, 1.0000),
	('2026-03-29', 'RQ_003', 'selfie', 2, 2, 0, 0, 0, 0, 0, 1.0000),
	('2026-03-31', 'RQ_007', 'address', 4, 2, 0, 0, 2, 0, 0, 1.0000),
	('2026-03-31', 'RQ_005', 'nationality', 1, 0, 0, 1, 0, 0, 0, 0.0000),
	('2026-03-29', 'RQ_001', 'face authentication', 1, 1, 0, 0, 0, 0, 0, 1.0000),
	('2026-03-29', 'RQ_006', 'identity document', 1, 1, 0, 0, 0, 0, 0, 1.0000),
	('2026-03-31', 'RQ_002', 'identity trust', 1, 0, 0, 0, 1, 0, 0, NULL),
	('2026-03-31', 'RQ_001', 'face authentication', 3, 3, 0, 0, 0, 0, 0, 1.0000),
	('2026-03-30', 'RQ_002', 'identity trust', 1, 1, 0, 0, 0, 0, 0, 1.0000),
	('2026-03-31', 'RQ_003', 'selfie', 2, 1, 0, 0, 1, 0, 0, 1.0000),
	('2026-03-31', 'RQ_006', 'identity document', 3, 2, 0, 0, 1, 0, 0, 1.0000),
	('2026-03-30', 'RQ_001', 'face authentication', 4, 2, 0, 1, 1, 0, 0, 0.6667),
	('2026-03-30', 'RQ_005', 'nationality', 1, 0, 0, 0, 1, 0, 0, NULL),
	('2026-03-29', 'RQ_007', 'address', 1, 0, 0, 0, 1, 0, 0, NULL);
INSERT INTO landing.activity_details VALUES
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-11-22 01:52:06.520735+00', '2026-11-22 01:52:06.520735+00', '\x06c5d701773ecd924bcb3ac47b2b5dcb', '\x7b226964223a2235306232643437622d643934332d343664382d616437622d343063326466393132383063222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a224f6e626f617264696e67205c2239323336335c223a2073656c666965202620646f63756d656e745c6e5468616e6b20796f7521222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a22536861726564206173207265717565737465642e222c2274696d655f7a6f6e65223a22416d65726963612f426f676f7461222c2276616c69645f756e74696c223a313737343838373630313833312c22617474656e6465645f6174223a313737343838343230393031332c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313737373437363230393031332c22637265617465645f6174223a313737343838343030313833312c22757064617465645f6174223a313737343838343230393031332c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e474d6f58726e7679356337444e57586c6e794b76676b41504f6749747556442f574141414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2274797065223a224e4154494f4e414c5f4944222c226e756d626572223a223037323030373637222c2269737375696e675f636f756e747279223a22434f222c22657870697265735f6f6e223a22323033342d30362d3330222c226d727a223a5b22493c434f4130373230303736373c3c3c3c3c3c3c3c3c222c223c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c225d7d7d7d5d7d2c7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393738352c2276657269666965645f6174223a313737343838343230393031332c226672616d6573223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e475034497933317664365577662f736236625356674171505158774c414c6b4a7741414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33305431353a32303a30312e3833315a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2265306266623133622d336538392d343530322d613536322d323266316435306263316561227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33305431353a32333a32392e3031335a222c226d657373616765223a22536861726564206173207265717565737465642e222c22687474705f726571756573745f6964223a2264636163383964342d353335362d343864652d616666652d326238353664353666376436227d5d7d'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', '2026-11-22 01:52:06.520922+00', '2026-11-22 01:52:06.520922+00', '\xf047ab5aaa9df901c9419dac547a67fc', '\x7b226964223a2238646436363533362d383064372d346435632d613765652d323464346633326364623038222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e20323639323a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c2276616c69645f756e74696c223a313737353034393834303732372c22637265617465645f6174223a313737343837373034303732372c22757064617465645f6174223a313737343837373034303732372c22657870697265735f696e223a7b2274696d655f756e6974223a22484f555253222c22616d6f756e74223a32347d2c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33305431333a32343a30302e3732375a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2265656535656535312d643034312d343537622d613738352d326664393438616661383761227d5d7d'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', '2026-11-22 01:52:06.520111+00', '2026-11-22 01:52:06.622079+00', '\x39ddef20d1ccd537c53376d03c8e3685', '\x7b226964223a2230623235363933312d616535312d343862332d383535382d303263316365343539326530222c2274797065223a2241545f303032222c22747970655f6e616d65223a2253686172652064657461696c73222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2038333935313a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a22434f4d504c45544544222c226e6f74696669636174696f6e5f6d657373616765223a2241637469766974792063726561746564222c2274696d655f7a6f6e65223a22416d65726963612f4e65775f596f726b222c2276616c69645f756e74696c223a313737353133333730323237322c22636f6d706c657465645f6174223a313737343936313031373038362c22657870697265735f6174223a313737353536353730323237322c22637265617465645f6174223a313737343936303930323237322c22757064617465645f6174223a313737343936313031373038362c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a377d2c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a6e756c6c7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a6e756c6c7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a6e756c6c7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a6e756c6c7d7d5d7d2c7b22636f6465223a2252515f303037222c2274797065223a225254505f303034222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a6e756c6c7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a6e756c6c7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315431323a34313a34322e3237325a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2231366634343162612d666161652d343265612d613835312d393439643433663836303865227d2c7b22737461747573223a22434f4d504c45544544222c22646174655f74696d65223a22323032362d30332d33315431323a34333a33372e3038365a222c226d657373616765223a2246696e616c6973656420627920626f7468207369646573222c22687474705f726571756573745f6964223a2263363934653164382d316631622d343434612d616534652d396562623532663031356362227d5d7d'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', '2026-11-22 01:52:06.520305+00', '2026-11-22 01:52:06.622286+00', '\xe10cc67f9819498b3312e91799f5c14f', '\x7b226964223a2238376166386663362d633965312d343563662d613362642d633462373532356137366335222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a224e656365736974616d6f7320636f6e6669726d61722074752064697265636369c3b36e207061726120656c20656e76c3ad6f204ec2ba20313337302e222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a22536861726564206173207265717565737465642e222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737353037323537393033352c22617474656e6465645f6174223a313737343839393737393034342c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313737363139353737393034342c22637265617465645f6174223a313737343839393737393033352c22757064617465645f6174223a313737343839393737393034342c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a31357d2c22656e74697479223a7b226964223a2266366436323863322d396562392d343037332d613433372d636563613132356266386164222c226e616d65223a22c385736120536ac3b6737472c3b66d222c22636966636f6465223a2261653639613165372d653136302d346139382d623261372d396665656334306561356433222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f66366436323863322d396562392d343037332d613433372d6365636131323562663861642e706e67222c2273636f7265223a3637332c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657238227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657238227d5d2c22637265617465645f6174223a313637303633373536323633342c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d2c7b22636f6465223a224944545f303032227d2c7b22636f6465223a224944545f303033227d2c7b22636f6465223a224944545f303034227d5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d5d7d2c7b22636f6465223a2252515f303034222c226974656d73223a5b7b22636f6465223a225049465f303031227d2c7b22636f6465223a225049465f303032227d2c7b22636f6465223a225049465f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303032222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944545f303031222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226d656d6265725f73696e6365223a313637303633373536323633347d7d7d2c7b22636f6465223a224944545f303032222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2273636f7265223a3637332c2272616e6765223a7b2266726f6d223a3330302c22746f223a3835307d7d7d7d2c7b22636f6465223a224944545f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b226c6576656c223a22474f4f44227d7d7d2c7b22636f6465223a224944545f303034222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2276657269666965645f6174223a313737343831333734303034387d7d7d5d7d2c7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034467970782b756b6b686d6c5473693874454145414d6d45477954614d6b436741414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474f773250497361506b6e426e506565577243715141713277552b5765732b335141414141424a52553545726b4a6767673d3d227d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303034222c226974656d73223a5b7b22636f6465223a225049465f303031227d2c7b22636f6465223a225049465f303032227d2c7b22636f6465223a225049465f303033227d5d7d5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33305431393a34323a35392e3033355a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2265663964353535312d363035662d346462382d616336612d323235383163623131626134227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33305431393a34323a35392e3034345a222c226d657373616765223a22536861726564206173207265717565737465642e222c22687474705f726571756573745f6964223a2239613030353433332d623031632d343038342d616664382d386136653765343636366530227d5d7d'),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', '2026-11-22 01:52:06.508717+00', '2026-11-22 01:52:06.724647+00', '\x0b27b7407a2eb15e800313fc4dbc0734', '\x7b226964223a2234616531306634392d313765352d346363372d613136342d633162626361633538623361222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a22506c6561736520736861726520796f7572206964656e7469747920646f63756d656e7420746f206f70656e20796f7572206163636f756e742e222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c2276616c69645f756e74696c223a313737353538393332383637322c22617474656e6465645f6174223a313737343939303139333933392c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313738323736363139333933392c22637265617465645f6174223a313737343938343532383637322c22757064617465645f6174223a313737343939303139333933392c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a39307d2c22656e74697479223a7b226964223a2266306266666433332d346532642d343538642d383832362d323364613132633032663632222c226e616d65223a22e38195e3818fe3828920f0a0aeb7e794b0222c22636966636f6465223a2265383834333864612d666537382d343530352d613261632d313934636439333539323833222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f66306266666433332d346532642d343538642d383832362d3233646131326330326636322e706e67222c2273636f7265223a3832372c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313731353731343234383732342c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c2274797065223a225254505f303034222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a7b22737472656574223a224a722e206465206c6120556e69c3b36e222c226e756d626572223a2231363631222c2261706172746d656e74223a6e756c6c2c2263697479223a224dc3bc6e6368656e222c22636f756e7472795f636f6465223a224445222c226c6f636174696f6e223a7b226c61746974756465223a2d31322e3034303237342c226c6f6e676974756465223a2d37372e3034323739337d2c2270726f6f66223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474d6f6c593255586a5758675776706e633268427745686877576937363846624141414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393731372c2276657269666965645f6174223a313737343939303139333933392c226672616d6573223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474f6f5476527a797664693842484d58582f3942514166636756654c736a63706741414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33315431393a31353a32382e3637325a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2263363865633230312d333964322d343164662d613265632d316465666537613838636137227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315432303a34393a35332e3933395a222c226d657373616765223a22d8aad985d8aa20d8a7d984d985d8b4d8a7d8b1d983d8a9222c22687474705f726571756573745f6964223a2230316132353965612d613634642d343833342d613531322d343566313735666338346131227d5d7d'),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', '2026-11-22 01:52:06.518719+00', '2026-11-22 01:52:06.620931+00', '\x13c4a53db7486f64dbd17f1403759e6c', '\x7b226964223a2239663635383662652d333935322d346664632d396464612d666337383738643133376466222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2039313435373a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a2241636365707465642c206865726520796f75206172652e222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737353134343739393637332c22617474656e6465645f6174223a313737353030353233363431362c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313738323738313233363431362c22637265617465645f6174223a313737343937313939393637332c22757064617465645f6174223a313737353030353233363431362c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a39307d2c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c2274797065223a225254505f303033222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22696d616765223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e475034497933317664365577662f736236625356674171505158774c414c6b4a7741414141424a52553545726b4a6767673d3d227d2c2274616b656e5f6174223a313737353030353137363431367d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393738352c2276657269666965645f6174223a313737353030353233363431362c226672616d6573223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e475034497933317664365577662f736236625356674171505158774c414c6b4a7741414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33315431353a34363a33392e3637335a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2261343232663834622d306166652d343664662d616662322d646664386465376266326465227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30342d30315430313a30303a33362e3431365a222c226d657373616765223a2241636365707465642c206865726520796f75206172652e222c22687474705f726571756573745f6964223a2239376334373234312d633339392d343365662d613864372d303938376534616163633538227d5d7d'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', '2026-11-22 01:52:06.520536+00', '2026-11-22 01:52:06.62276+00', '\x84313c84de5e985fb23e0c51940b075f', '\x7b226964223a2239663665393733652d623438622d343465312d396532382d633565356465633537373931222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2252656e74616c206170706c69636174696f6e2035353338363a2070726f6f66206f66206964656e7469747920616e6420616464726573732e222c22737461747573223a224445434c494e4544222c226e6f74696669636174696f6e5f6d657373616765223a2241736b206d79206f66666963652c20706c656173652e222c2274696d655f7a6f6e65223a22416d65726963612f4e65775f596f726b222c2276616c69645f756e74696c223a313737343932383334303036342c22617474656e6465645f6174223a313737343838353134303036362c22637265617465645f6174223a313737343838353134303036342c22757064617465645f6174223a313737343838353134303036362c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a377d2c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33305431353a33393a30302e3036345a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2233343966333935322d623363642d346232612d616366322d653735613739353666323663227d2c7b22737461747573223a224445434c494e4544222c22646174655f74696d65223a22323032362d30332d33305431353a33393a30302e3036365a222c226d657373616765223a2241736b206d79206f66666963652c20706c656173652e222c22687474705f726571756573745f6964223a2234326639366134322d643032372d343766392d613136342d666534316334333336306336227d5d7d'),
	('ed92f9a4-9200-4187-983a-736de177bf70', '2026-11-22 01:52:06.52109+00', '2026-11-22 01:52:06.623396+00', '\x8730ebd09dff768d8c1550597dbd9078', '\x7b226964223a2265643932663961342d393230302d343138372d393833612d373336646531373762663730222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2256657269666963616369c3b36e206465206964656e74696461642070617261207475206372c3a96469746f20e2809420657870656469656e7465203937353137222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a2241636365707465642c206865726520796f75206172652e222c2274696d655f7a6f6e65223a224575726f70652f4d6164726964222c2276616c69645f756e74696c223a313737343930343832393537312c22617474656e6465645f6174223a313737343837303632303937312c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313830363430363632303937312c22637265617465645f6174223a313737343836313632393537312c22757064617465645f6174223a313737343837303632303937312c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a3336357d2c22656e74697479223a7b226964223a2236663830333465362d663730362d346662302d396237352d333065383466373032333130222c226e616d65223a22d984d98ad984d98920d8a8d98620d8b5d8a7d984d8ad222c22636966636f6465223a2237643839363538352d633331632d343765662d613233392d356334363534393361386161222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f36663830333465362d663730362d346662302d396237352d3330653834663730323331302e706e67222c2273636f7265223a3536312c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657237227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657237227d5d2c22637265617465645f6174223a313734363838313030303338322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393431312c2276657269666965645f6174223a313737343837303632303937312c226672616d6573223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474d6f6c593255586a5758675776706e633268427745686877576937363846624141414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e474d347936357a5933345377786f667a6b505048774d414b4755475a35494a38787341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2274797065223a224e4154494f4e414c5f4944222c226e756d626572223a223832303539303232222c2269737375696e675f636f756e747279223a22434c222c22657870697265735f6f6e223a22323033332d30362d3330222c226d727a223a5b22493c434c4138323035393032323c3c3c3c3c3c3c3c3c222c223c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c225d7d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33305430393a30373a30392e3537315a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2239356663663765622d366234352d343732392d616632352d373031313737666635383934227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33305431313a33373a30302e3937315a222c226d657373616765223a2241636365707465642c206865726520796f75206172652e222c22687474705f726571756573745f6964223a2231643764373662622d363937392d343232332d613238362d626637306639393634616636227d5d7d'),
	('1a638126-3853-44d8-9b03-f6000bcde71a', '2026-11-22 01:52:06.521329+00', '2026-11-22 01:52:06.725887+00', '\x3a0d313eb2171353c5235cb69712bfb6', '\x7b226964223a2231613633383132362d333835332d343464382d396230332d663630303062636465373161222c2274797065223a2241545f303033222c22747970655f6e616d65223a22537761702064657461696c73222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a224e656365736974616d6f7320636f6e6669726d61722074752064697265636369c3b36e207061726120656c20656e76c3ad6f204ec2ba2033393639382e222c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737363130313735393630302c22637265617465645f6174223a313737343830353735393630302c22757064617465645f6174223a313737343830353735393630302c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d32395431373a33353a35392e3630305a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2264343661336666372d366465622d343335322d613232322d646330383733376438663030227d5d7d'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', '2026-11-22 01:52:06.519555+00', '2026-11-22 01:52:06.726881+00', '\xcc098d76e1d63d54df8e3bccd15ab7b0', '\x7b226964223a2236616261356462312d633935372d343335302d393335362d343635636333316636376131222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a22434f4d504c45544544222c226e6f74696669636174696f6e5f6d657373616765223a2241636365707465642c206865726520796f75206172652e222c2274696d655f7a6f6e65223a22417369612f546f6b796f222c2276616c69645f756e74696c223a313737363236323637393938362c22617474656e6465645f6174223a313737343936393736383635392c22636f6d706c657465645f6174223a313737343937353937343032372c22657870697265735f6174223a313737353035363136383635392c22637265617465645f6174223a313737343936363637393938362c22757064617465645f6174223a313737343937353937343032372c22657870697265735f696e223a7b2274696d655f756e6974223a22484f555253222c22616d6f756e74223a32347d2c22656e74697479223a7b226964223a2230366133326335392d323266642d343065342d613535342d346130396630303065366438222c226e616d65223a22d984d98ad984d98920d985d986d8b5d988d8b1222c22636966636f6465223a2235383662303332322d383430622d343231612d616237382d623862323535626663373134222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30366133326335392d323266642d343065342d613535342d3461303966303030653664382e706e67222c2273636f7265223a3534322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657231227d5d2c22637265617465645f6174223a313638373836313330393637302c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474f6f5476527a797664693842484d58582f3942514166636756654c736a63706741414141424a52553545726b4a6767673d3d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474d6f6c593255586a5758675776706e633268427745686877576937363846624141414141424a52553545726b4a6767673d3d227d7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2274797065223a224e4154494f4e414c5f4944222c226e756d626572223a223437373633333339222c2269737375696e675f636f756e747279223a22434c222c22657870697265735f6f6e223a22323033302d30362d3330222c226d727a223a5b22493c434c4134373736333333393c3c3c3c3c3c3c3c3c222c223c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c225d7d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315431343a31373a35392e3938365a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2266393264623363382d643832382d343736382d613532372d386166396131393232316363227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33315431353a30393a32382e3635395a222c226d657373616765223a2241636365707465642c206865726520796f75206172652e222c22687474705f726571756573745f6964223a2239343364303131612d363738622d346337642d613436342d383332373933633361656562227d2c7b22737461747573223a22434f4d504c45544544222c22646174655f74696d65223a22323032362d30332d33315431363a35323a35342e3032375a222c226d657373616765223a2246696e616c6973656420627920626f7468207369646573222c22687474705f726571756573745f6964223a2261323732656331312d626230302d343538652d613834652d613564616635316430633936227d5d7d'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', '2026-11-22 01:52:06.521684+00', '2026-11-22 01:52:06.727058+00', '\x26709e6cb0182cd036684ae02b42fc61', '\x7b226964223a2236636434633566612d613432612d343761662d393239382d313335373065386362356433222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a2257652764206c696b6520746f206b65657020796f75722064657461696c7320757020746f206461746520e29c85222c22737461747573223a22434f4d504c45544544222c226e6f74696669636174696f6e5f6d657373616765223a2241636365707465642c206865726520796f75206172652e222c2274696d655f7a6f6e65223a22417369612f4b6f6c6b617461222c2276616c69645f756e74696c223a313737343937323733353439382c22617474656e6465645f6174223a313737343831393535313435342c22636f6d706c657465645f6174223a313737343938303730333138332c22657870697265735f6174223a313737353432343335313435342c22637265617465645f6174223a313737343739393933353439382c22757064617465645f6174223a313737343938303730333138332c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a377d2c22656e74697479223a7b226964223a2230366133326335392d323266642d343065342d613535342d346130396630303065366438222c226e616d65223a22d984d98ad984d98920d985d986d8b5d988d8b1222c22636966636f6465223a2235383662303332322d383430622d343231612d616237382d623862323535626663373134222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30366133326335392d323266642d343065342d613535342d3461303966303030653664382e706e67222c2273636f7265223a3534322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657231227d5d2c22637265617465645f6174223a313638373836313330393637302c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d2c7b22636f6465223a224944435f303032227d2c7b22636f6465223a224944435f303033227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c2274797065223a225254505f303033222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22696d616765223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e47504956543166765041756737716462332f306251416e3251584b64337678436741414141424a52553545726b4a6767673d3d227d2c2274616b656e5f6174223a313737343831393439313435347d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303031222c2274797065223a225254505f303031222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22726573756c74223a22504153534544222c2273696d696c6172697479223a302e393839372c2276657269666965645f6174223a313737343831393535313435342c226672616d6573223a5b7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e47504956543166765041756737716462332f306251416e3251584b64337678436741414141424a52553545726b4a6767673d3d227d5d7d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303035222c2274797065223a225254505f303032222c2263617465676f7279223a225251435f303032222c2264617461223a7b2276616c7565223a7b226e6174696f6e616c6974696573223a5b7b22636f756e7472795f636f6465223a22434c222c2273696e63655f6269727468223a747275657d5d7d7d2c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303036222c2274797065223a225254505f303035222c2263617465676f7279223a225251435f303033222c2264617461223a7b2276616c7565223a7b7d7d2c226974656d73223a5b7b22636f6465223a224944435f303031222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474f6f5476527a797664693842484d58582f3942514166636756654c736a63706741414141424a52553545726b4a6767673d3d227d7d7d2c7b22636f6465223a224944435f303032222c2274797065223a225254505f303033222c2264617461223a7b2276616c7565223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e474d6f6c593255586a5758675776706e633268427745686877576937363846624141414141424a52553545726b4a6767673d3d227d7d7d2c7b22636f6465223a224944435f303033222c2274797065223a225254505f303032222c2264617461223a7b2276616c7565223a7b2274797065223a224e4154494f4e414c5f4944222c226e756d626572223a223437373633333339222c2269737375696e675f636f756e747279223a22434c222c22657870697265735f6f6e223a22323033302d30362d3330222c226d727a223a5b22493c434c4134373736333333393c3c3c3c3c3c3c3c3c222c223c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c225d7d7d7d5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d32395431353a35383a35352e3439385a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2264656637303438332d613633632d343466662d613538382d326137303562376532333266227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d32395432313a32353a35312e3435345a222c226d657373616765223a2241636365707465642c206865726520796f75206172652e222c22687474705f726571756573745f6964223a2262626365393130362d383064622d343561382d613961302d633962373266373630336234227d2c7b22737461747573223a22434f4d504c45544544222c22646174655f74696d65223a22323032362d30332d33315431383a31313a34332e3138335a222c226d657373616765223a2246696e616c6973656420627920626f7468207369646573222c22687474705f726571756573745f6964223a2236623239646361392d333963302d346137662d616363652d313762386239343536663433227d5d7d'),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', '2026-11-22 01:52:06.515072+00', '2026-11-22 01:52:06.725981+00', '\xed01abc1f5a8908cac13b5dfa666e5cd', '\x7b226964223a2239366335376561362d333931622d343732392d613838352d616430323662623966616332222c2274797065223a2241545f303031222c22747970655f6e616d65223a22526571756573742064657461696c73222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a224e656365736974616d6f7320636f6e6669726d61722074752064697265636369c3b36e207061726120656c20656e76c3ad6f204ec2ba2032303033392e222c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c2276616c69645f756e74696c223a313737363237333330333135332c22637265617465645f6174223a313737343937373330333135332c22757064617465645f6174223a313737343937373330333135332c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a3336357d2c22656e74697479223a7b226964223a2231653763616561662d303263392d343661632d393538332d616138613235656535663666222c226e616d65223a22e5b08fe6988e20e78e8b222c22636966636f6465223a2266623961306539322d616437362d343431372d616333652d653565353666393663306137222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3636322c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657234227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657234227d5d2c22637265617465645f6174223a313733353436373330393837342c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d2c7b22636f6465223a2252515f303032222c226974656d73223a5b7b22636f6465223a224944545f303031227d5d7d2c7b22636f6465223a2252515f303036222c226974656d73223a5b7b22636f6465223a224944435f303031227d5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d33315431373a31353a30332e3135335a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2237366431383830342d666432652d346561662d616663392d373463306238663631356461227d5d7d'),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', '2026-11-22 01:52:06.51989+00', '2026-11-22 01:52:06.726369+00', '\x41eb5ffa5bf5eea601e3330c8c25bf3c', '\x7b226964223a2263373035613462652d323564302d343034662d396361662d666638313261633138336339222c2274797065223a2241545f303033222c22747970655f6e616d65223a22537761702064657461696c73222c22696e5f6f75745f626f756e64223a22494e222c226465736372697074696f6e223a22e8afb7e585b1e4baabe682a8e79a84e8baabe4bbbde4bfa1e681afefbc88e7bc96e58fb7203235393238efbc89222c22737461747573223a22414354494f4e5f5245515549524544222c226e6f74696669636174696f6e5f6d657373616765223a6e756c6c2c2274696d655f7a6f6e65223a22417369612f4b6f6c6b617461222c2276616c69645f756e74696c223a313737353339333136323037352c22617474656e6465645f6174223a6e756c6c2c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a6e756c6c2c22637265617465645f6174223a313737343936313136323037352c22757064617465645f6174223a313737343936313136323037352c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a39307d2c22656e74697479223a7b226964223a2231336134393035372d623138372d343835342d393764312d323834663239393132336535222c226e616d65223a224c7563c3ad612056c3a1737175657a222c22636966636f6465223a2263616435626634382d356665352d343463342d383766382d363934663432333330383739222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f31336134393035372d623138372d343835342d393764312d3238346632393931323365352e706e67222c2273636f7265223a3436352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657236227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657236227d5d2c22637265617465645f6174223a313733323533323336373336382c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303037222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a22414354494f4e5f5245515549524544222c22646174655f74696d65223a22323032362d30332d33315431323a34363a30322e3037355a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2230643931313033622d376664332d343630382d613135302d663438343661616537323563227d5d7d'),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', '2026-11-22 01:52:06.52152+00', '2026-11-22 01:52:06.725665+00', '\x29fa2996501b459a97eed4a966134ff0', '\x7b226964223a2265353264303462662d376563632d346131332d616664302d636464303039623364353062222c2274797065223a2241545f303034222c22747970655f6e616d65223a22417574686f72697a6174696f6e2072657175657374222c22696e5f6f75745f626f756e64223a224f5554222c226465736372697074696f6e223a22e8afb7e585b1e4baabe682a8e79a84e8baabe4bbbde4bfa1e681afefbc88e7bc96e58fb7203532393533efbc89222c22737461747573223a224143434550544544222c226e6f74696669636174696f6e5f6d657373616765223a224c6973746f2c206772616369617320f09f998c222c2274696d655f7a6f6e65223a22417369612f546f6b796f222c2276616c69645f756e74696c223a313737363039373935323431362c22617474656e6465645f6174223a313737343930363732363337322c22636f6d706c657465645f6174223a6e756c6c2c22657870697265735f6174223a313737373439383732363337322c22637265617465645f6174223a313737343830313935323431362c22757064617465645f6174223a313737343930363732363337322c22657870697265735f696e223a7b2274696d655f756e6974223a2244415953222c22616d6f756e74223a33307d2c22656e74697479223a7b226964223a2237323033313131392d646366342d343038342d393632642d303564353634393932373035222c226e616d65223a224c7563c3ad61204ec3bac3b1657a222c22636966636f6465223a2235653565326135652d633635632d343763632d613832362d613164633663633931646361222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f37323033313131392d646366342d343038342d393632642d3035643536343939323730352e706e67222c2273636f7265223a3633312c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313735373832333436363433312c22756e72656769737465726564223a66616c73657d2c22726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c226974656d73223a5b5d7d5d2c2261636365707465645f726571756972656d656e7473223a5b7b22636f6465223a2252515f303033222c2274797065223a225254505f303033222c2263617465676f7279223a225251435f303031222c2264617461223a7b2276616c7565223a7b22696d616765223a7b22636f6e74656e745f74797065223a22696d6167652f706e67222c22636f6e74656e74223a226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e475034497933317664365577662f736236625356674171505158774c414c6b4a7741414141424a52553545726b4a6767673d3d227d2c2274616b656e5f6174223a313737343930363636363337327d7d2c226974656d73223a5b5d7d5d2c226465636c696e65645f726571756972656d656e7473223a5b5d2c2274696d656c696e65223a5b7b22737461747573223a2253454e54222c22646174655f74696d65223a22323032362d30332d32395431363a33323a33322e3431365a222c226d657373616765223a2241637469766974792063726561746564222c22687474705f726571756573745f6964223a2232323364376164612d366633342d343464642d613937352d663965666461306261633133227d2c7b22737461747573223a224143434550544544222c22646174655f74696d65223a22323032362d30332d33305432313a33383a34362e3337325a222c226d657373616765223a224c6973746f2c206772616369617320f09f998c222c22687474705f726571756573745f6964223a2261663830353666342d653733352d343030382d616632622d623261636166396635303036227d5d7d');
INSERT INTO landing.activity_list_rows VALUES
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', '2026-11-22 01:52:06.496632+00', '\xced7c4582e9af559093dcd41bf6449c3', '\x7b226964223a2234616531306634392d313765352d346363372d613136342d633162626361633538623361222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2266306266666433332d346532642d343538642d383832362d323364613132633032663632222c226e616d65223a22e38195e3818fe3828920f0a0aeb7e794b0222c22636966636f6465223a2265383834333864612d666537382d343530352d613261632d313934636439333539323833222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f66306266666433332d346532642d343538642d383832362d3233646131326330326636322e706e67222c2273636f7265223a3832372c2273636f72696e675f6c6576656c223a22455843454c4c454e54222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313731353731343234383732342c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c22637265617465645f6174223a313737343938343532383637327d'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-11-22 01:52:06.496632+00', '\xdf4ed69220821f5bc838e6c86f60ffdf', '\x7b226964223a2235306232643437622d643934332d343664382d616437622d343063326466393132383063222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f426f676f7461222c22637265617465645f6174223a313737343838343030313833317d'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', '2026-11-22 01:52:06.496632+00', '\x905467bd5f0283bd47347440bf48a95c', '\x7b226964223a2236616261356462312d633935372d343335302d393335362d343635636333316636376131222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2230366133326335392d323266642d343065342d613535342d346130396630303065366438222c226e616d65223a22d984d98ad984d98920d985d986d8b5d988d8b1222c22636966636f6465223a2235383662303332322d383430622d343231612d616237382d623862323535626663373134222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30366133326335392d323266642d343065342d613535342d3461303966303030653664382e706e67222c2273636f7265223a3534322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657231227d5d2c22637265617465645f6174223a313638373836313330393637302c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22417369612f546f6b796f222c22637265617465645f6174223a313737343936363637393938367d'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', '2026-11-22 01:52:06.496632+00', '\xf000b8a940c5ecfc0536d876f4049deb', '\x7b226964223a2236636434633566612d613432612d343761662d393239382d313335373065386362356433222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2230366133326335392d323266642d343065342d613535342d346130396630303065366438222c226e616d65223a22d984d98ad984d98920d985d986d8b5d988d8b1222c22636966636f6465223a2235383662303332322d383430622d343231612d616237382d623862323535626663373134222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f30366133326335392d323266642d343065342d613535342d3461303966303030653664382e706e67222c2273636f7265223a3534322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657231227d5d2c22637265617465645f6174223a313638373836313330393637302c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22417369612f4b6f6c6b617461222c22637265617465645f6174223a313737343739393933353439387d'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', '2026-11-22 01:52:06.496632+00', '\xec9440a66c6664903b9f94be7c9f3597', '\x7b226964223a2238376166386663362d633965312d343563662d613362642d633462373532356137366335222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2266366436323863322d396562392d343037332d613433372d636563613132356266386164222c226e616d65223a22c385736120536ac3b6737472c3b66d222c22636966636f6465223a2261653639613165372d653136302d346139382d623261372d396665656334306561356433222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f66366436323863322d396562392d343037332d613433372d6365636131323562663861642e706e67222c2273636f7265223a3637332c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657238227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657238227d5d2c22637265617465645f6174223a313637303633373536323633342c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343839393737393033357d'),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', '2026-11-22 01:52:06.496632+00', '\xe3c0c06242df94639dfd76e00b42ff94', '\x7b226964223a2239366335376561362d333931622d343732392d613838352d616430323662623966616332222c2274797065223a2241545f303031222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2231653763616561662d303263392d343661632d393538332d616138613235656535663666222c226e616d65223a22e5b08fe6988e20e78e8b222c22636966636f6465223a2266623961306539322d616437362d343431372d616333652d653565353666393663306137222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3636322c2273636f72696e675f6c6576656c223a22474f4f44222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657234227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657234227d5d2c22637265617465645f6174223a313733353436373330393837342c22756e72656769737465726564223a66616c73657d2c22737461747573223a2253454e54222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343937373330333135337d'),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', '2026-11-22 01:52:06.496632+00', '\xefd9042622f81d68400764445bb91684', '\x7b226964223a2239663635383662652d333935322d346664632d396464612d666337383738643133376466222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343937313939393637337d'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', '2026-11-22 01:52:06.496632+00', '\x688442a6d356cbef03d96b0d71796a87', '\x7b226964223a2239663665393733652d623438622d343465312d396532382d633565356465633537373931222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2264306434633065662d633166622d346131632d623934632d633832636238626433356461222c226e616d65223a224b75c3a96c617020532e412e432e222c22636966636f6465223a2261633566313331662d343362342d346336352d626534302d313532333836646233316633222c2274797065223a22425553494e455353222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c2273636f7265223a3538322c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313635313430333838323331322c22756e72656769737465726564223a66616c73657d2c22737461747573223a224445434c494e4544222c2274696d655f7a6f6e65223a22416d65726963612f4e65775f596f726b222c22637265617465645f6174223a313737343838353134303036347d'),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', '2026-11-22 01:52:06.496632+00', '\x93645298f43778b8d3ffd9cece2de4a4', '\x7b226964223a2263373035613462652d323564302d343034662d396361662d666638313261633138336339222c2274797065223a2241545f303033222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2231336134393035372d623138372d343835342d393764312d323834663239393132336535222c226e616d65223a224c7563c3ad612056c3a1737175657a222c22636966636f6465223a2263616435626634382d356665352d343463342d383766382d363934663432333330383739222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f31336134393035372d623138372d343835342d393764312d3238346632393931323365352e706e67222c2273636f7265223a3436352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657236227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657236227d5d2c22637265617465645f6174223a313733323533323336373336382c22756e72656769737465726564223a66616c73657d2c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22417369612f4b6f6c6b617461222c22637265617465645f6174223a313737343936313136323037357d'),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', '2026-11-22 01:52:06.496632+00', '\x1f1d488516266f4466d1ce06da817786', '\x7b226964223a2265353264303462662d376563632d346131332d616664302d636464303039623364353062222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2237323033313131392d646366342d343038342d393632642d303564353634393932373035222c226e616d65223a224c7563c3ad61204ec3bac3b1657a222c22636966636f6465223a2235653565326135652d633635632d343763632d613832362d613164633663633931646361222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f37323033313131392d646366342d343038342d393632642d3035643536343939323730352e706e67222c2273636f7265223a3633312c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b5d2c22637265617465645f6174223a313735373832333436363433312c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a22417369612f546f6b796f222c22637265617465645f6174223a313737343830313935323431367d'),
	('ed92f9a4-9200-4187-983a-736de177bf70', '2026-11-22 01:52:06.496632+00', '\x571d66bf25dc432416e264d364cf2a8f', '\x7b226964223a2265643932663961342d393230302d343138372d393833612d373336646531373762663730222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a224f5554222c22656e74697479223a7b226964223a2236663830333465362d663730362d346662302d396237352d333065383466373032333130222c226e616d65223a22d984d98ad984d98920d8a8d98620d8b5d8a7d984d8ad222c22636966636f6465223a2237643839363538352d633331632d343765662d613233392d356334363534393361386161222c2274797065223a22494e444956494455414c222c22617661746172223a2268747470733a2f2f617661746172732e6578616d706c652e746573742f36663830333465362d663730362d346662302d396237352d3330653834663730323331302e706e67222c2273636f7265223a3536312c2273636f72696e675f6c6576656c223a2246414952222c22736f6369616c5f6d65646961223a5b7b226d65646961223a2258222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f782f6d656d62657237227d2c7b226d65646961223a224c494e4b4544494e222c2275726c223a2268747470733a2f2f736f6369616c2e6578616d706c652e746573742f6c696e6b6564696e2f6d656d62657237227d5d2c22637265617465645f6174223a313734363838313030303338322c22756e72656769737465726564223a66616c73657d2c22737461747573223a224143434550544544222c2274696d655f7a6f6e65223a224575726f70652f4d6164726964222c22637265617465645f6174223a313737343836313632393537317d'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-11-22 01:52:06.61002+00', '\x87d7fb99321703639d9728822acd7f6c', '\x7b226964223a202235306232643437622d643934332d343664382d616437622d343063326466393132383063222c202274797065223a202241545f303031222c2022696e5f6f75745f626f756e64223a20224f5554222c2022656e74697479223a207b226964223a202264306434633065662d633166622d346131632d623934632d633832636238626433356461222c20226e616d65223a20224b755c75303065396c617020532e412e432e222c2022636966636f6465223a202261633566313331662d343362342d346336352d626534302d313532333836646233316633222c202274797065223a2022425553494e455353222c2022617661746172223a202268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c202273636f7265223a203538322c202273636f72696e675f6c6576656c223a202246414952222c2022736f6369616c5f6d65646961223a205b5d2c2022637265617465645f6174223a20313635313430333838323331322c2022756e72656769737465726564223a2066616c73657d2c2022737461747573223a202243414e43454c4544222c202274696d655f7a6f6e65223a2022416d65726963612f426f676f7461222c2022637265617465645f6174223a20313737343838343030313833312c20226465736372697074696f6e223a20226368616e676564227d'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', '2026-11-22 01:52:06.496632+00', '\x3b2ede4a048cc101f4ca9e611cf95301', '\x7b226964223a2230623235363933312d616535312d343862332d383535382d303263316365343539326530222c2274797065223a2241545f303032222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22737461747573223a22434f4d504c45544544222c2274696d655f7a6f6e65223a22416d65726963612f4e65775f596f726b222c22637265617465645f6174223a313737343936303930323237327d'),
	('1a638126-3853-44d8-9b03-f6000bcde71a', '2026-11-22 01:52:06.496632+00', '\x21f34ce34a6a3b06868d58cd34b18746', '\x7b226964223a2231613633383132362d333835332d343464382d396230332d663630303062636465373161222c2274797065223a2241545f303033222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22416d65726963612f4c696d61222c22637265617465645f6174223a313737343830353735393630307d'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', '2026-11-22 01:52:06.496632+00', '\x5839e3131584137ffeed41570f6fdb89', '\x7b226964223a2238646436363533362d383064372d346435632d613765652d323464346633326364623038222c2274797065223a2241545f303034222c22696e5f6f75745f626f756e64223a22494e222c22656e74697479223a7b226964223a2239316164653730312d386138382d343663642d393233342d323731333334386136643337222c226e616d65223a6e756c6c2c22636966636f6465223a2264346363653535392d383535362d343236632d616137662d663365663664623038356436222c2274797065223a22494e444956494455414c222c22617661746172223a6e756c6c2c2273636f7265223a3432352c2273636f72696e675f6c6576656c223a22504f4f52222c22736f6369616c5f6d65646961223a6e756c6c2c22637265617465645f6174223a313638333437373538303631322c22756e72656769737465726564223a66616c73657d2c22737461747573223a22414354494f4e5f5245515549524544222c2274696d655f7a6f6e65223a22416d65726963612f53616e746961676f222c22637265617465645f6174223a313737343837373034303732377d');
INSERT INTO sync._yoyo_log VALUES
	('51fcf7d2-e617-11f1-98b8-02fc00000001', 'ec2051cc2372d323046cf096526cb4cd6f3e74b08d9c43613291930acc7c6b68', '0001_schemas', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:05.93858'),
	('52042aac-e617-11f1-98b8-02fc00000001', '52f1be292cba63bc7d06636374b7da100542d9a4198f96ee3d5e7e33988aa8ab', '0002_warehouse', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:05.983899'),
	('52068c3e-e617-11f1-98b8-02fc00000001', '15be29862c6f7c84d6ed0a993b18a2bf10bf4eaded818a2e1ebdc6232ce00631', '0003_landing', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:05.999495'),
	('520ec7b4-e617-11f1-98b8-02fc00000001', '1f0e7ace839f7d12c68f509da5a45fbb4410497205006411e339ccd1399e23c6', '0004_sync', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.053461'),
	('5210ae08-e617-11f1-98b8-02fc00000001', 'cd81ce8e4fd793916ae7a347ac31d57ad79af58e9ab87cf87f6cb07c9bad87ee', '0005_codes', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.065898'),
	('5212ede4-e617-11f1-98b8-02fc00000001', '7bb74f7321c544470cdd873382f21cbb32b87e23e6979435e07510633a28bbcb', '0006_verifications', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.080629'),
	('52146674-e617-11f1-98b8-02fc00000001', '963426bf7c729d7f6713eb901a88cc09ba225e894d066564542f4da81dfe9524', '0007_living_runs', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.090264'),
	('5218f5cc-e617-11f1-98b8-02fc00000001', '8b59b245233d823a8698f727a91fbf0f64415ca50ad8ee9a278b825fa25236dd', '0008_analytics', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.12016'),
	('521c1496-e617-11f1-98b8-02fc00000001', '8aab50f9e8ac489654036c79744810d707d4e26dd53c4fb15bc4684961682aa2', '0008a_activity_as_of', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.140593'),
	('522058a8-e617-11f1-98b8-02fc00000001', '47c0be3945afd82d0f86fdaec1795e2c587d45356544773ec9ccbc1d06e96075', '0009_privacy', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.168557'),
	('5224011a-e617-11f1-98b8-02fc00000001', '735b8898c117af88ca227f6581444b2d135f899cfc9c88dc399843c4b65b7587', '0010_authorization_requests', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.192526'),
	('5226ed62-e617-11f1-98b8-02fc00000001', '4aae14d1ed0290aa2eb8273d0fe2888cee333d85917fdb043f38b293e15c235e', '0011_refresh_queue', 'apply', 'made-up', 'made-up', NULL, '2026-11-22 01:52:06.211695');
INSERT INTO sync._yoyo_version VALUES
	(2, '2026-11-22 01:52:05.806084');
INSERT INTO sync.activity_ledger VALUES
	('0b256931-ae51-48b3-8558-02c1ce4592e0', '2026-03-31', '\x3b2ede4a048cc101f4ca9e611cf95301', '\xf100faad45100536c137518d18aa09e7', '2026-11-22 01:52:06.61002+00', '\xf100faad45100536c137518d18aa09e7', '\x39ddef20d1ccd537c53376d03c8e3685', 1, '2026-11-22 01:52:06.622079+00', '2026-04-01 12:00:00.540709+00', true, '2026-04-07 12:41:42.272+00', NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', '2026-03-30', '\xec9440a66c6664903b9f94be7c9f3597', '\xddbc59dd4a0dc6def4b3d10c83913b86', '2026-11-22 01:52:06.61002+00', '\xddbc59dd4a0dc6def4b3d10c83913b86', '\xe10cc67f9819498b3312e91799f5c14f', 1, '2026-11-22 01:52:06.622286+00', '2026-04-01 12:00:00.540916+00', false, '2026-04-01 19:42:59.035+00', NULL, NULL),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', '2026-03-31', '\xefd9042622f81d68400764445bb91684', '\x6d08429e60b8d1944c89fbb13f1df239', '2026-11-22 01:52:06.61002+00', '\x6d08429e60b8d1944c89fbb13f1df239', '\x13c4a53db7486f64dbd17f1403759e6c', 1, '2026-11-22 01:52:06.620931+00', '2026-04-01 12:00:00.539561+00', false, '2026-04-02 15:46:39.673+00', NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', '2026-03-30', '\x688442a6d356cbef03d96b0d71796a87', '\x760a057f94ac3d9dfcaa1933300cf689', '2026-11-22 01:52:06.61002+00', '\x760a057f94ac3d9dfcaa1933300cf689', '\x84313c84de5e985fb23e0c51940b075f', 1, '2026-11-22 01:52:06.62276+00', '2026-04-01 12:00:00.54139+00', true, NULL, NULL, NULL),
	('ed92f9a4-9200-4187-983a-736de177bf70', '2026-03-30', '\x571d66bf25dc432416e264d364cf2a8f', '\x7c98e442d8372496a73a99d123bd78bd', '2026-11-22 01:52:06.61002+00', '\x7c98e442d8372496a73a99d123bd78bd', '\x8730ebd09dff768d8c1550597dbd9078', 1, '2026-11-22 01:52:06.623396+00', '2026-04-01 12:00:00.542026+00', false, '2027-03-30 11:37:00.971+00', NULL, NULL),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', '2026-03-30', '\x5839e3131584137ffeed41570f6fdb89', '\xcfc5244c924c17994cd00758420bffd1', '2026-11-22 01:52:06.496632+00', '\xcfc5244c924c17994cd00758420bffd1', '\xf047ab5aaa9df901c9419dac547a67fc', 1, '2026-11-22 01:52:06.639881+00', '2026-04-01 12:00:00.596755+00', false, '2026-04-01 13:24:00.727+00', '2026-11-22 01:52:06.63639+00', '2026-11-22 01:52:06.639881+00'),
	('1a638126-3853-44d8-9b03-f6000bcde71a', '2026-03-29', '\x21f34ce34a6a3b06868d58cd34b18746', '\x78be5efdb77c246c5dbea42440cbd65c', '2026-11-22 01:52:06.61002+00', '\x78be5efdb77c246c5dbea42440cbd65c', '\x3a0d313eb2171353c5235cb69712bfb6', 1, '2026-11-22 01:52:06.725887+00', '2026-04-01 12:00:00.507298+00', false, '2026-04-13 17:35:59.6+00', NULL, NULL),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', '2026-03-31', '\xced7c4582e9af559093dcd41bf6449c3', '\xccb9caaee9ee2c528d9926c4550ea589', '2026-11-22 01:52:06.61002+00', '\xccb9caaee9ee2c528d9926c4550ea589', '\x0b27b7407a2eb15e800313fc4dbc0734', 1, '2026-11-22 01:52:06.724647+00', '2026-04-01 12:00:00.50606+00', false, '2026-04-07 19:15:28.672+00', NULL, NULL),
	('6aba5db1-c957-4350-9356-465cc31f67a1', '2026-03-31', '\x905467bd5f0283bd47347440bf48a95c', '\xfbf82215b5afb41de696fd641961c077', '2026-11-22 01:52:06.61002+00', '\xfbf82215b5afb41de696fd641961c077', '\xcc098d76e1d63d54df8e3bccd15ab7b0', 1, '2026-11-22 01:52:06.726881+00', '2026-04-01 12:00:00.508292+00', true, '2026-04-01 15:09:28.659+00', NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', '2026-03-29', '\xf000b8a940c5ecfc0536d876f4049deb', '\x8a254348005de02cbe0773813ec16166', '2026-11-22 01:52:06.61002+00', '\x8a254348005de02cbe0773813ec16166', '\x26709e6cb0182cd036684ae02b42fc61', 1, '2026-11-22 01:52:06.727058+00', '2026-04-01 12:00:00.508469+00', true, '2026-04-05 21:25:51.454+00', NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', '2026-03-31', '\xe3c0c06242df94639dfd76e00b42ff94', '\x520a04169963a25c1cf0e52b644a7930', '2026-11-22 01:52:06.61002+00', '\x520a04169963a25c1cf0e52b644a7930', '\xed01abc1f5a8908cac13b5dfa666e5cd', 1, '2026-11-22 01:52:06.725981+00', '2026-04-01 12:00:00.507392+00', false, '2026-04-15 17:15:03.153+00', NULL, NULL),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', '2026-03-31', '\x93645298f43778b8d3ffd9cece2de4a4', '\x4454f6d8d677c2eca439ac0d2d8656be', '2026-11-22 01:52:06.61002+00', '\x4454f6d8d677c2eca439ac0d2d8656be', '\x41eb5ffa5bf5eea601e3330c8c25bf3c', 1, '2026-11-22 01:52:06.726369+00', '2026-04-01 12:00:00.507781+00', false, '2026-04-05 12:46:02.075+00', NULL, NULL),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', '2026-03-29', '\x1f1d488516266f4466d1ce06da817786', '\x0ed3de7e029c70f96c4d97af32c42695', '2026-11-22 01:52:06.61002+00', '\x0ed3de7e029c70f96c4d97af32c42695', '\x29fa2996501b459a97eed4a966134ff0', 1, '2026-11-22 01:52:06.725665+00', '2026-04-01 12:00:00.507077+00', false, '2026-04-13 16:32:32.416+00', NULL, NULL),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-03-30', '\x87d7fb99321703639d9728822acd7f6c', '\x68927098f36052f85229b42edb2bccfd', '2026-11-22 01:52:06.794864+00', '\x33ac87a4708b28f383842c1e37b33807', '\x06c5d701773ecd924bcb3ac47b2b5dcb', 1, '2026-11-22 01:52:06.520735+00', '2026-04-01 12:00:00.596567+00', false, '2026-04-29 15:23:29.013+00', NULL, NULL);
INSERT INTO sync.coverage VALUES
	('2026-03-30', 4, 3, 1, 1, '2026-11-22 01:52:06.99335+00', NULL, '\x1e3065ef0b4e64f080c49ce60dd92873', 'run-5'),
	('2026-03-31', 6, 6, 0, 0, '2026-11-22 01:52:06.99335+00', NULL, '\x15fd2b1454be4a7975ade4f465e55779', 'run-5'),
	('2026-04-01', 0, 0, 0, 0, '2026-11-22 01:52:06.99335+00', NULL, '\xcae66941d9efbd404e4d88758ea67670', 'run-5'),
	('2026-03-29', 3, 3, 0, 0, '2026-11-22 01:52:07.036346+00', NULL, '\xd92602bae93521ecdbd2000c1a918a29', 'run-6');
INSERT INTO sync.erased_entities VALUES
	('91ade701-8a88-46cd-9234-2713348a6d37', '2026-11-22 01:52:06.675857+00');
INSERT INTO sync.erasures VALUES
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'request', '2026-11-22 01:52:06.68234+00', 6, 1, 0),
	('1a638126-3853-44d8-9b03-f6000bcde71a', 'request', '2026-11-22 01:52:06.68234+00', 0, 1, 0),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'request', '2026-11-22 01:52:06.68234+00', 0, 1, 0);
INSERT INTO sync.privacy VALUES
	(true, 'erase', '2026-11-22 01:52:06.661891+00');
INSERT INTO sync.quarantine OVERRIDING SYSTEM VALUE VALUES
	(1, '50b2d47b-d943-46d8-ad7b-40c2df91280c', 'details', '50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-03-30', 'details of activity 50b2d47b-d943-46d8-ad7b-40c2df91280c: not the specified shape: Expected `str | null`, got `int` - at `$.status`', '\x7b226964223a202235306232643437622d643934332d343664382d616437622d343063326466393132383063222c202274797065223a202241545f303031222c2022747970655f6e616d65223a2022526571756573742064657461696c73222c2022696e5f6f75745f626f756e64223a20224f5554222c20226465736372697074696f6e223a20224f6e626f617264696e67205c2239323336335c223a2073656c666965202620646f63756d656e745c6e5468616e6b20796f7521222c2022737461747573223a20352c20226e6f74696669636174696f6e5f6d657373616765223a2022536861726564206173207265717565737465642e222c202274696d655f7a6f6e65223a2022416d65726963612f426f676f7461222c202276616c69645f756e74696c223a20313737343838373630313833312c2022617474656e6465645f6174223a20313737343838343230393031332c2022636f6d706c657465645f6174223a206e756c6c2c2022657870697265735f6174223a20313737373437363230393031332c2022637265617465645f6174223a20313737343838343030313833312c2022757064617465645f6174223a20313737343838343230393031332c2022657870697265735f696e223a207b2274696d655f756e6974223a202244415953222c2022616d6f756e74223a2033307d2c2022656e74697479223a207b226964223a202264306434633065662d633166622d346131632d623934632d633832636238626433356461222c20226e616d65223a20224b755c75303065396c617020532e412e432e222c2022636966636f6465223a202261633566313331662d343362342d346336352d626534302d313532333836646233316633222c202274797065223a2022425553494e455353222c2022617661746172223a202268747470733a2f2f617661746172732e6578616d706c652e746573742f64306434633065662d633166622d346131632d623934632d6338326362386264333564612e706e67222c202273636f7265223a203538322c202273636f72696e675f6c6576656c223a202246414952222c2022736f6369616c5f6d65646961223a205b5d2c2022637265617465645f6174223a20313635313430333838323331322c2022756e72656769737465726564223a2066616c73657d2c2022726571756972656d656e7473223a205b7b22636f6465223a202252515f303036222c20226974656d73223a205b7b22636f6465223a20224944435f303031227d2c207b22636f6465223a20224944435f303032227d2c207b22636f6465223a20224944435f303033227d5d7d2c207b22636f6465223a202252515f303031222c20226974656d73223a205b5d7d5d2c202261636365707465645f726571756972656d656e7473223a205b7b22636f6465223a202252515f303036222c202274797065223a20225254505f303035222c202263617465676f7279223a20225251435f303033222c202264617461223a207b2276616c7565223a207b7d7d2c20226974656d73223a205b7b22636f6465223a20224944435f303031222c202274797065223a20225254505f303033222c202264617461223a207b2276616c7565223a207b22636f6e74656e745f74797065223a2022696d6167652f706e67222c2022636f6e74656e74223a20226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e475034756a4656616674456876745a4832386b6e6755414e4a5148746a4f4c37346341414141415355564f524b35435949493d227d7d7d2c207b22636f6465223a20224944435f303032222c202274797065223a20225254505f303033222c202264617461223a207b2276616c7565223a207b22636f6e74656e745f74797065223a2022696d6167652f706e67222c2022636f6e74656e74223a20226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a4141414146306c45515652346e474d6f58726e7679356337444e57586c6e794b76676b41504f6749747556442f574141414141415355564f524b35435949493d227d7d7d2c207b22636f6465223a20224944435f303033222c202274797065223a20225254505f303032222c202264617461223a207b2276616c7565223a207b2274797065223a20224e4154494f4e414c5f4944222c20226e756d626572223a20223037323030373637222c202269737375696e675f636f756e747279223a2022434f222c2022657870697265735f6f6e223a2022323033342d30362d3330222c20226d727a223a205b22493c434f4130373230303736373c3c3c3c3c3c3c3c3c222c20223c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c225d7d7d7d5d7d2c207b22636f6465223a202252515f303031222c202274797065223a20225254505f303031222c202263617465676f7279223a20225251435f303031222c202264617461223a207b2276616c7565223a207b22726573756c74223a2022504153534544222c202273696d696c6172697479223a20302e393738352c202276657269666965645f6174223a20313737343838343230393031332c20226672616d6573223a205b7b22636f6e74656e745f74797065223a2022696d6167652f706e67222c2022636f6e74656e74223a20226956424f5277304b47676f414141414e535568455567414141414941414141434341494141414439314a707a41414141466b6c45515652346e475034497933317664365577662f736236625356674171505158774c414c6b4a7741414141424a52553545726b4a6767673d3d227d5d7d7d2c20226974656d73223a205b5d7d5d2c20226465636c696e65645f726571756972656d656e7473223a205b5d2c202274696d656c696e65223a205b7b22737461747573223a202253454e54222c2022646174655f74696d65223a2022323032362d30332d33305431353a32303a30312e3833315a222c20226d657373616765223a202241637469766974792063726561746564222c2022687474705f726571756573745f6964223a202265306266623133622d336538392d343530322d613536322d323266316435306263316561227d2c207b22737461747573223a20224143434550544544222c2022646174655f74696d65223a2022323032362d30332d33305431353a32333a32392e3031335a222c20226d657373616765223a2022536861726564206173207265717565737465642e222c2022687474705f726571756573745f6964223a202264636163383964342d353335362d343864652d616666652d326238353664353666376436227d5d7d', 3, '2026-11-22 01:52:06.623039+00', '2026-11-22 01:52:06.797558+00', '2100-01-01 00:00:00+00', NULL);
INSERT INTO sync.run_changes VALUES
	('run-1', '0b256931-ae51-48b3-8558-02c1ce4592e0', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '1a638126-3853-44d8-9b03-f6000bcde71a', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '50b2d47b-d943-46d8-ad7b-40c2df91280c', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '6aba5db1-c957-4350-9356-465cc31f67a1', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '96c57ea6-391b-4729-a885-ad026bb9fac2', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '9f6586be-3952-4fdc-9dda-fc7878d137df', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', '9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', 'c705a4be-25d0-404f-9caf-ff812ac183c9', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', 'e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-1', 'ed92f9a4-9200-4187-983a-736de177bf70', 'new', NULL, '2026-11-22 01:52:06.536985+00'),
	('run-2', '50b2d47b-d943-46d8-ad7b-40c2df91280c', 'quarantined', NULL, '2026-11-22 01:52:06.633494+00'),
	('run-2', '8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'gone', NULL, '2026-11-22 01:52:06.646813+00'),
	('verify-1', '50b2d47b-d943-46d8-ad7b-40c2df91280c', 'quarantined', NULL, '2026-11-22 01:52:06.741416+00'),
	('run-3', '50b2d47b-d943-46d8-ad7b-40c2df91280c', 'quarantined', NULL, '2026-11-22 01:52:06.804325+00');
INSERT INTO sync.runs VALUES
	('run-1', 'days', '2026-03-29', '2026-04-01', '2026-11-22 01:52:06.368923+00', '2026-11-22 01:52:06.551263+00', 'complete', NULL, 14, 14, 0, 0, 0, 0, 16, 0, 1, 41601),
	('run-2', 'days', '2026-03-29', '2026-04-01', '2026-11-22 01:52:06.574879+00', '2026-11-22 01:52:06.652239+00', 'incomplete', '2026-03-30: 1 in quarantine', 13, 0, 0, 12, 1, 1, 20, 0, 1, 40991),
	('verify-1', 'verify', NULL, NULL, '2026-11-22 01:52:06.710282+00', '2026-11-22 01:52:06.747605+00', 'incomplete', '1 of 8 gave no readable answer', 0, 0, 0, 7, 0, 1, 8, 0, 1, 14790),
	('run-3', 'days', '2026-03-30', '2026-04-01', '2026-11-22 01:52:06.765827+00', '2026-11-22 01:52:06.823404+00', 'incomplete', '2026-03-30: 1 in quarantine', 10, 0, 0, 9, 0, 1, 4, 0, 1, 17366),
	('run-4', 'open', NULL, NULL, '2026-11-22 01:52:06.833206+00', '2026-11-22 01:52:06.873024+00', 'complete', NULL, 3, 0, 0, 3, 0, 0, 1, 0, 0, 3840),
	('run-5', 'days', '2026-03-30', '2026-04-01', '2026-11-22 01:52:06.957762+00', '2026-11-22 01:52:07.002277+00', 'incomplete', '2026-03-30: 1 in quarantine', 10, 0, 0, 9, 0, 1, 3, 0, 1, 14913),
	('run-6', 'open', NULL, NULL, '2026-11-22 01:52:07.01038+00', '2026-11-22 01:52:07.046827+00', 'complete', NULL, 3, 0, 0, 3, 0, 0, 1, 0, 0, 3840);
INSERT INTO sync.schema_migrations VALUES
	('ec2051cc2372d323046cf096526cb4cd6f3e74b08d9c43613291930acc7c6b68', '0001_schemas', '2026-11-22 01:52:05.940186'),
	('52f1be292cba63bc7d06636374b7da100542d9a4198f96ee3d5e7e33988aa8ab', '0002_warehouse', '2026-11-22 01:52:05.986141'),
	('15be29862c6f7c84d6ed0a993b18a2bf10bf4eaded818a2e1ebdc6232ce00631', '0003_landing', '2026-11-22 01:52:06.001545'),
	('1f0e7ace839f7d12c68f509da5a45fbb4410497205006411e339ccd1399e23c6', '0004_sync', '2026-11-22 01:52:06.054642'),
	('cd81ce8e4fd793916ae7a347ac31d57ad79af58e9ab87cf87f6cb07c9bad87ee', '0005_codes', '2026-11-22 01:52:06.066776'),
	('7bb74f7321c544470cdd873382f21cbb32b87e23e6979435e07510633a28bbcb', '0006_verifications', '2026-11-22 01:52:06.081679'),
	('963426bf7c729d7f6713eb901a88cc09ba225e894d066564542f4da81dfe9524', '0007_living_runs', '2026-11-22 01:52:06.091127'),
	('8b59b245233d823a8698f727a91fbf0f64415ca50ad8ee9a278b825fa25236dd', '0008_analytics', '2026-11-22 01:52:06.120996'),
	('8aab50f9e8ac489654036c79744810d707d4e26dd53c4fb15bc4684961682aa2', '0008a_activity_as_of', '2026-11-22 01:52:06.141358'),
	('47c0be3945afd82d0f86fdaec1795e2c587d45356544773ec9ccbc1d06e96075', '0009_privacy', '2026-11-22 01:52:06.169429'),
	('735b8898c117af88ca227f6581444b2d135f899cfc9c88dc399843c4b65b7587', '0010_authorization_requests', '2026-11-22 01:52:06.193358'),
	('4aae14d1ed0290aa2eb8273d0fe2888cee333d85917fdb043f38b293e15c235e', '0011_refresh_queue', '2026-11-22 01:52:06.212775');
INSERT INTO sync.service_facts VALUES
	('day_zone', 'caller', '2026-11-22 01:52:06.598354+00', NULL, NULL),
	('to_day', 'whole day', '2026-11-22 01:52:06.60017+00', NULL, NULL),
	('configured_zone', 'UTC', '2026-11-22 01:52:07.014481+00', NULL, NULL);
INSERT INTO sync.unknown_values VALUES
	('list field', 'description', '50b2d47b-d943-46d8-ad7b-40c2df91280c', '2026-11-22 01:52:06.61002+00');
INSERT INTO sync.verifications VALUES
	('verify-1', 8, 7, 0, 0, 1, 0, 0.4096163972250033, '2026-11-22 01:52:06.745717+00');
INSERT INTO sync.view_versions VALUES
	('activities', '35cef10285a0360f1036de02a07d9532', '2026-11-22 01:52:06.236429+00', NULL),
	('authorization_outcomes', '053169bc2b656310e558e57e21f1627d', '2026-11-22 01:52:06.236429+00', NULL),
	('entity_profiles', '3855c9f713b9294f5309fee6b9cafbbe', '2026-11-22 01:52:06.236429+00', NULL),
	('expiring_shares', '4b72eec8f672633f33516235d86afd67', '2026-11-22 01:52:06.236429+00', NULL),
	('freshness', 'c004080f3c5d1b757c94e0220ea64ed3', '2026-11-22 01:52:06.236429+00', NULL),
	('open_activities', 'e416a0a90fe482f12513f26931d0e16d', '2026-11-22 01:52:06.236429+00', NULL),
	('shared_values', '60dfbfcd9bf7417a13368bffb4c4e9e3', '2026-11-22 01:52:06.236429+00', NULL),
	('status_intervals', 'a2f882d4332279ca4cf77365754ce5c9', '2026-11-22 01:52:06.236429+00', NULL),
	('unlabelled_codes', '1d9ab4ebdea38d83c1029e2f32d34282', '2026-11-22 01:52:06.236429+00', NULL),
	('counterparts', '145219cde43f35e908dce107aa529ee6', '2026-11-22 01:52:06.236429+00', NULL),
	('activity_funnel', 'ec67448db4310419d8f0a93076e26787', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00'),
	('counterpart_activity', 'dcd2d664d487beb5c00091a6a8c6b3be', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00'),
	('daily_status_changes', '1f059a6b3ab9ec6e03fc2c8f289aaa53', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00'),
	('decision_times', '811698063d560ed24c9b39e4c849ffba', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00'),
	('requirement_outcomes', '6482885c50b71eace0efa0d213725cdf', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00'),
	('daily_status', 'cb981269dba2a47d8973e144ea4ab2f8', '2026-11-22 01:52:06.236429+00', '2026-11-22 01:52:06.901921+00');
INSERT INTO warehouse.accepted_items VALUES
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 0, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 0, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGMoXrnvy5c7DNWXlnyKvgkAPOgItuVD/WAAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 0, 2, 'RQ_006', 'IDC_003', 'RTP_002', '{"mrz": ["I<COA07200767<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"], "type": "NATIONAL_ID", "number": "07200767", "expires_on": "2034-06-30", "issuing_country": "CO"}'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 0, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGOoTvRzyvdi8BHMXX/9BQAfcgVeLsjcpgAAAABJRU5ErkJggg==", "content_type": "image/png"}'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 0, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGMolY2UXjWXgWvpnc2hBwEhhwWi768FbAAAAABJRU5ErkJggg==", "content_type": "image/png"}'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 0, 2, 'RQ_006', 'IDC_003', 'RTP_002', '{"mrz": ["I<CLA47763339<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"], "type": "NATIONAL_ID", "number": "47763339", "expires_on": "2030-06-30", "issuing_country": "CL"}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 3, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGOoTvRzyvdi8BHMXX/9BQAfcgVeLsjcpgAAAABJRU5ErkJggg==", "content_type": "image/png"}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 3, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGMolY2UXjWXgWvpnc2hBwEhhwWi768FbAAAAABJRU5ErkJggg==", "content_type": "image/png"}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 3, 2, 'RQ_006', 'IDC_003', 'RTP_002', '{"mrz": ["I<CLA47763339<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"], "type": "NATIONAL_ID", "number": "47763339", "expires_on": "2030-06-30", "issuing_country": "CL"}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 0, 0, 'RQ_002', 'IDT_001', 'RTP_002', '{"member_since": 1670637562634}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 0, 1, 'RQ_002', 'IDT_002', 'RTP_002', '{"range": {"to": 850, "from": 300}, "score": 673}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 0, 2, 'RQ_002', 'IDT_003', 'RTP_002', '{"level": "GOOD"}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 0, 3, 'RQ_002', 'IDT_004', 'RTP_002', '{"verified_at": 1774813740048}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 1, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4Fypx+ukkhmlTsi8tEAEAMmEGyTaMkCgAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 1, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGOw2PIsaPknBnPeeWrCqQAq2wU+Wes+3QAAAABJRU5ErkJggg==", "content_type": "image/png"}'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 1, 0, 'RQ_006', 'IDC_001', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGM4y65zY34SwxofzkPPHwMAKGUGZ5IJ8xsAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 1, 1, 'RQ_006', 'IDC_002', 'RTP_003', '{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQHtjOL74cAAAAASUVORK5CYII=", "content_type": "image/png"}'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 1, 2, 'RQ_006', 'IDC_003', 'RTP_002', '{"mrz": ["I<CLA82059022<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"], "type": "NATIONAL_ID", "number": "82059022", "expires_on": "2033-06-30", "issuing_country": "CL"}'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 0, 0, 'RQ_006', 'IDC_001', 'RTP_003', NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 0, 1, 'RQ_006', 'IDC_002', 'RTP_003', NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 0, 2, 'RQ_006', 'IDC_003', 'RTP_002', NULL);
INSERT INTO warehouse.activities VALUES
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'AT_001', 'Request details', 'OUT', 'f0bffd33-4e2d-458d-8826-23da12c02f62', 'Please share your identity document to open your account.', 'ACCEPTED', 'تمت المشاركة', 'America/Santiago', '2026-04-07 19:15:28.672+00', '2026-03-31 20:49:53.939+00', NULL, '2026-06-29 20:49:53.939+00', '2026-03-31 19:15:28.672+00', '2026-03-31 20:49:53.939+00', 'DAYS', 90, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.508717+00', NULL, NULL),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'AT_001', 'Request details', 'OUT', 'd0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', 'Onboarding "92363": selfie & document
Thank you!', 'ACCEPTED', 'Shared as requested.', 'America/Bogota', '2026-03-30 16:20:01.831+00', '2026-03-30 15:23:29.013+00', NULL, '2026-04-29 15:23:29.013+00', '2026-03-30 15:20:01.831+00', '2026-03-30 15:23:29.013+00', 'DAYS', 30, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.520735+00', NULL, NULL),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'AT_004', 'Authorization request', 'IN', '06a32c59-22fd-40e4-a554-4a09f000e6d8', 'We''d like to keep your details up to date ✅', 'COMPLETED', 'Accepted, here you are.', 'Asia/Tokyo', '2026-04-15 14:17:59.986+00', '2026-03-31 15:09:28.659+00', '2026-03-31 16:52:54.027+00', '2026-04-01 15:09:28.659+00', '2026-03-31 14:17:59.986+00', '2026-03-31 16:52:54.027+00', 'HOURS', 24, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.519555+00', NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'AT_001', 'Request details', 'OUT', '06a32c59-22fd-40e4-a554-4a09f000e6d8', 'We''d like to keep your details up to date ✅', 'COMPLETED', 'Accepted, here you are.', 'Asia/Kolkata', '2026-03-31 15:58:55.498+00', '2026-03-29 21:25:51.454+00', '2026-03-31 18:11:43.183+00', '2026-04-05 21:25:51.454+00', '2026-03-29 15:58:55.498+00', '2026-03-31 18:11:43.183+00', 'DAYS', 7, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.521684+00', NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'AT_004', 'Authorization request', 'OUT', 'f6d628c2-9eb9-4073-a437-ceca125bf8ad', 'Necesitamos confirmar tu dirección para el envío Nº 1370.', 'ACCEPTED', 'Shared as requested.', 'America/Lima', '2026-04-01 19:42:59.035+00', '2026-03-30 19:42:59.044+00', NULL, '2026-04-14 19:42:59.044+00', '2026-03-30 19:42:59.035+00', '2026-03-30 19:42:59.044+00', 'DAYS', 15, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.520305+00', NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'AT_001', 'Request details', 'OUT', '1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', 'Necesitamos confirmar tu dirección para el envío Nº 20039.', 'SENT', NULL, 'America/Lima', '2026-04-15 17:15:03.153+00', NULL, NULL, NULL, '2026-03-31 17:15:03.153+00', '2026-03-31 17:15:03.153+00', 'DAYS', 365, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.515072+00', NULL, NULL),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 'AT_004', 'Authorization request', 'OUT', 'd0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', 'Rental application 91457: proof of identity and address.', 'ACCEPTED', 'Accepted, here you are.', 'America/Lima', '2026-04-02 15:46:39.673+00', '2026-04-01 01:00:36.416+00', NULL, '2026-06-30 01:00:36.416+00', '2026-03-31 15:46:39.673+00', '2026-04-01 01:00:36.416+00', 'DAYS', 90, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.518719+00', NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'AT_004', 'Authorization request', 'IN', 'd0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', 'Rental application 55386: proof of identity and address.', 'DECLINED', 'Ask my office, please.', 'America/New_York', '2026-03-31 03:39:00.064+00', '2026-03-30 15:39:00.066+00', NULL, NULL, '2026-03-30 15:39:00.064+00', '2026-03-30 15:39:00.066+00', 'DAYS', 7, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.520536+00', NULL, NULL),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', 'AT_003', 'Swap details', 'IN', '13a49057-b187-4854-97d1-284f299123e5', '请共享您的身份信息（编号 25928）', 'ACTION_REQUIRED', NULL, 'Asia/Kolkata', '2026-04-05 12:46:02.075+00', NULL, NULL, NULL, '2026-03-31 12:46:02.075+00', '2026-03-31 12:46:02.075+00', 'DAYS', 90, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.51989+00', NULL, NULL),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 'AT_004', 'Authorization request', 'OUT', '72031119-dcf4-4084-962d-05d564992705', '请共享您的身份信息（编号 52953）', 'ACCEPTED', 'Listo, gracias 🙌', 'Asia/Tokyo', '2026-04-13 16:32:32.416+00', '2026-03-30 21:38:46.372+00', NULL, '2026-04-29 21:38:46.372+00', '2026-03-29 16:32:32.416+00', '2026-03-30 21:38:46.372+00', 'DAYS', 30, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.52152+00', NULL, NULL),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'AT_004', 'Authorization request', 'OUT', '6f8034e6-f706-4fb0-9b75-30e84f702310', 'Verificación de identidad para tu crédito — expediente 97517', 'ACCEPTED', 'Accepted, here you are.', 'Europe/Madrid', '2026-03-30 21:07:09.571+00', '2026-03-30 11:37:00.971+00', NULL, '2027-03-30 11:37:00.971+00', '2026-03-30 09:07:09.571+00', '2026-03-30 11:37:00.971+00', 'DAYS', 365, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.52109+00', NULL, NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'AT_002', 'Share details', 'IN', '91ade701-8a88-46cd-9234-2713348a6d37', 'Rental application 83951: proof of identity and address.', 'COMPLETED', 'Activity created', 'America/New_York', '2026-04-02 12:41:42.272+00', NULL, '2026-03-31 12:43:37.086+00', '2026-04-07 12:41:42.272+00', '2026-03-31 12:41:42.272+00', '2026-03-31 12:43:37.086+00', 'DAYS', 7, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.520111+00', NULL, '2026-11-22 01:52:06.68234+00'),
	('1a638126-3853-44d8-9b03-f6000bcde71a', 'AT_003', 'Swap details', 'IN', '91ade701-8a88-46cd-9234-2713348a6d37', 'Necesitamos confirmar tu dirección para el envío Nº 39698.', 'ACTION_REQUIRED', NULL, 'America/Lima', '2026-04-13 17:35:59.6+00', NULL, NULL, NULL, '2026-03-29 17:35:59.6+00', '2026-03-29 17:35:59.6+00', 'DAYS', 30, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.521329+00', NULL, '2026-11-22 01:52:06.68234+00'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'AT_004', 'Authorization request', 'IN', '91ade701-8a88-46cd-9234-2713348a6d37', 'Rental application 2692: proof of identity and address.', 'ACTION_REQUIRED', NULL, 'America/Santiago', '2026-04-01 13:24:00.727+00', NULL, NULL, NULL, '2026-03-30 13:24:00.727+00', '2026-03-30 13:24:00.727+00', 'HOURS', 24, '2026-11-22 01:52:06.496632+00', '2026-11-22 01:52:06.520922+00', '2026-11-22 01:52:06.639881+00', '2026-11-22 01:52:06.68234+00');
INSERT INTO warehouse.authorization_requests VALUES
	('00000000-0000-4000-8000-000000000001', 'made-up-1', 'Made-up request 1', 'PE', '51900000001', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'queued', NULL, '2026-03-30 10:00:00+00', NULL, NULL, NULL, 0, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000002', 'made-up-2', 'Made-up request 2', 'PE', '51900000002', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'failed', 'made up', '2026-03-30 10:00:00+00', NULL, NULL, NULL, 0, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000003', 'made-up-3', 'Made-up request 3', 'PE', '51900000003', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'sending', NULL, '2026-03-30 10:00:00+00', '2026-03-30 10:01:00+00', NULL, NULL, 1, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000004', 'made-up-4', 'Made-up request 4', 'PE', '51900000004', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'sent', NULL, '2026-03-30 10:00:00+00', '2026-03-30 10:01:00+00', '2026-03-30 10:02:00+00', NULL, 1, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000005', 'made-up-5', 'Made-up request 5', 'PE', '51900000005', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'linked', NULL, '2026-03-30 10:00:00+00', '2026-03-30 10:01:00+00', '2026-03-30 10:02:00+00', '0b256931-ae51-48b3-8558-02c1ce4592e0', 1, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000006', 'made-up-6', 'Made-up request 6', 'PE', '51900000006', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'rejected', 'made up', '2026-03-30 10:00:00+00', '2026-03-30 10:01:00+00', '2026-03-30 10:02:00+00', NULL, 1, '[]', NULL, NULL, NULL),
	('00000000-0000-4000-8000-000000000007', 'made-up-7', 'Made-up request 7', 'PE', '51900000007', NULL, NULL, '[{"code": "RQ_001", "items": []}]', 'unknown', 'made up', '2026-03-30 10:00:00+00', '2026-03-30 10:01:00+00', '2026-03-30 10:02:00+00', NULL, 1, '[]', NULL, NULL, NULL);
INSERT INTO warehouse.entities VALUES
	('06a32c59-22fd-40e4-a554-4a09f000e6d8', 'ليلى منصور', '586b0322-840b-421a-ab78-b8b255bfc714', 'INDIVIDUAL', 'https://avatars.example.test/06a32c59-22fd-40e4-a554-4a09f000e6d8.png', 542, 'FAIR', false, '2023-06-27 10:21:49.67+00', '\xb667bba1d9a1918b60125d55def64e18', '2026-11-22 01:52:06.521684+00'),
	('13a49057-b187-4854-97d1-284f299123e5', 'Lucía Vásquez', 'cad5bf48-5fe5-44c4-87f8-694f42330879', 'INDIVIDUAL', 'https://avatars.example.test/13a49057-b187-4854-97d1-284f299123e5.png', 465, 'POOR', false, '2024-11-25 10:59:27.368+00', '\x24d74ba1ab54dc176e5ff74fd508b03d', '2026-11-22 01:52:06.51989+00'),
	('1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', '小明 王', 'fb9a0e92-ad76-4417-ac3e-e5e56f96c0a7', 'INDIVIDUAL', NULL, 662, 'GOOD', false, '2024-12-29 10:15:09.874+00', '\xb34263138d33792fed3275ffee4632ba', '2026-11-22 01:52:06.515072+00'),
	('6f8034e6-f706-4fb0-9b75-30e84f702310', 'ليلى بن صالح', '7d896585-c31c-47ef-a239-5c465493a8aa', 'INDIVIDUAL', 'https://avatars.example.test/6f8034e6-f706-4fb0-9b75-30e84f702310.png', 561, 'FAIR', false, '2025-05-10 12:43:20.382+00', '\x5c461897d74dc4a850db68796b731fc8', '2026-11-22 01:52:06.52109+00'),
	('72031119-dcf4-4084-962d-05d564992705', 'Lucía Núñez', '5e5e2a5e-c65c-47cc-a826-a1dc6cc91dca', 'INDIVIDUAL', 'https://avatars.example.test/72031119-dcf4-4084-962d-05d564992705.png', 631, 'FAIR', false, '2025-09-14 04:17:46.431+00', '\xaac05b23a57859d471d970cb3874d9f4', '2026-11-22 01:52:06.52152+00'),
	('d0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', 'Kuélap S.A.C.', 'ac5f131f-43b4-4c65-be40-152386db31f3', 'BUSINESS', 'https://avatars.example.test/d0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da.png', 582, 'FAIR', false, '2022-05-01 11:18:02.312+00', '\x149d4cf9398475f276d549c3178d2efb', '2026-11-22 01:52:06.520735+00'),
	('f0bffd33-4e2d-458d-8826-23da12c02f62', 'さくら 𠮷田', 'e88438da-fe78-4505-a2ac-194cd9359283', 'INDIVIDUAL', 'https://avatars.example.test/f0bffd33-4e2d-458d-8826-23da12c02f62.png', 827, 'EXCELLENT', false, '2024-05-14 19:17:28.724+00', '\xe1f9b15a00064bf081e4fe3fd4177422', '2026-11-22 01:52:06.508717+00'),
	('f6d628c2-9eb9-4073-a437-ceca125bf8ad', 'Åsa Sjöström', 'ae69a1e7-e160-4a98-b2a7-9feec40ea5d3', 'INDIVIDUAL', 'https://avatars.example.test/f6d628c2-9eb9-4073-a437-ceca125bf8ad.png', 673, 'GOOD', false, '2022-12-10 01:59:22.634+00', '\xe2c50661e2936680b3bde264d40ed60b', '2026-11-22 01:52:06.520305+00'),
	('91ade701-8a88-46cd-9234-2713348a6d37', NULL, 'd4cce559-8556-426c-aa7f-f3ef6db085d6', 'INDIVIDUAL', NULL, 425, 'POOR', false, '2023-05-07 16:39:40.612+00', '\xc56d16d87aab3c161d5175071a7df3a6', '2026-11-22 01:52:06.521329+00');
INSERT INTO warehouse.entity_scores VALUES
	('06a32c59-22fd-40e4-a554-4a09f000e6d8', '2026-11-22 01:52:06.521684+00', 542, 'FAIR'),
	('13a49057-b187-4854-97d1-284f299123e5', '2026-11-22 01:52:06.51989+00', 465, 'POOR'),
	('1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', '2026-11-22 01:52:06.515072+00', 662, 'GOOD'),
	('6f8034e6-f706-4fb0-9b75-30e84f702310', '2026-11-22 01:52:06.52109+00', 561, 'FAIR'),
	('72031119-dcf4-4084-962d-05d564992705', '2026-11-22 01:52:06.52152+00', 631, 'FAIR'),
	('91ade701-8a88-46cd-9234-2713348a6d37', '2026-11-22 01:52:06.521329+00', 425, 'POOR'),
	('d0d4c0ef-c1fb-4a1c-b94c-c82cb8bd35da', '2026-11-22 01:52:06.520735+00', 582, 'FAIR'),
	('f0bffd33-4e2d-458d-8826-23da12c02f62', '2026-11-22 01:52:06.508717+00', 827, 'EXCELLENT'),
	('f6d628c2-9eb9-4073-a437-ceca125bf8ad', '2026-11-22 01:52:06.520305+00', 673, 'GOOD');
INSERT INTO warehouse.entity_social_media VALUES
	('06a32c59-22fd-40e4-a554-4a09f000e6d8', 0, 'X', 'https://social.example.test/x/member1'),
	('13a49057-b187-4854-97d1-284f299123e5', 0, 'X', 'https://social.example.test/x/member6'),
	('13a49057-b187-4854-97d1-284f299123e5', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member6'),
	('1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', 0, 'X', 'https://social.example.test/x/member4'),
	('1e7caeaf-02c9-46ac-9583-aa8a25ee5f6f', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member4'),
	('6f8034e6-f706-4fb0-9b75-30e84f702310', 0, 'X', 'https://social.example.test/x/member7'),
	('6f8034e6-f706-4fb0-9b75-30e84f702310', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member7'),
	('f6d628c2-9eb9-4073-a437-ceca125bf8ad', 0, 'X', 'https://social.example.test/x/member8'),
	('f6d628c2-9eb9-4073-a437-ceca125bf8ad', 1, 'LINKEDIN', 'https://social.example.test/linkedin/member8');
INSERT INTO warehouse.requirement_items VALUES
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 0, 0, 'IDC_001'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 0, 1, 'IDC_002'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 0, 2, 'IDC_003'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'requested', 0, 0, 'IDC_001'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'requested', 0, 1, 'IDC_002'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'requested', 0, 2, 'IDC_003'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'requested', 1, 0, 'IDC_001'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'requested', 1, 1, 'IDC_002'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'requested', 1, 2, 'IDC_003'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 3, 0, 'IDC_001'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 3, 1, 'IDC_002'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 3, 2, 'IDC_003'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 0, 0, 'IDT_001'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 0, 1, 'IDT_002'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 0, 2, 'IDT_003'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 0, 3, 'IDT_004'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 1, 0, 'IDC_001'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 1, 1, 'IDC_002'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 2, 0, 'PIF_001'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 2, 1, 'PIF_002'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 2, 2, 'PIF_003'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'declined', 0, 0, 'PIF_001'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'declined', 0, 1, 'PIF_002'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'declined', 0, 2, 'PIF_003'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 3, 0, 'IDC_001'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 3, 1, 'IDC_002'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 3, 2, 'IDC_003'),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 2, 0, 'IDT_001'),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 3, 0, 'IDC_001'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 1, 0, 'IDC_001'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 1, 1, 'IDC_002'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 1, 0, 'IDC_001'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 1, 1, 'IDC_002'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'requested', 1, 0, 'IDC_001'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'requested', 1, 1, 'IDC_002'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'requested', 1, 2, 'IDC_003');
INSERT INTO warehouse.requirements VALUES
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 0, 'RQ_006', NULL, NULL, NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 1, 'RQ_007', NULL, NULL, NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'requested', 2, 'RQ_001', NULL, NULL, NULL),
	('1a638126-3853-44d8-9b03-f6000bcde71a', 'requested', 0, 'RQ_005', NULL, NULL, NULL),
	('1a638126-3853-44d8-9b03-f6000bcde71a', 'requested', 1, 'RQ_007', NULL, NULL, NULL),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'requested', 0, 'RQ_007', NULL, NULL, NULL),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'requested', 1, 'RQ_001', NULL, NULL, NULL),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'accepted', 0, 'RQ_007', 'RTP_004', 'RQC_002', '{"city": "München", "proof": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGMolY2UXjWXgWvpnc2hBwEhhwWi768FbAAAAABJRU5ErkJggg==", "content_type": "image/png"}], "number": "1661", "street": "Jr. de la Unión", "location": {"latitude": -12.040274, "longitude": -77.042793}, "apartment": null, "country_code": "DE"}'),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 'accepted', 1, 'RQ_001', 'RTP_001', 'RQC_001', '{"frames": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGOoTvRzyvdi8BHMXX/9BQAfcgVeLsjcpgAAAABJRU5ErkJggg==", "content_type": "image/png"}], "result": "PASSED", "similarity": 0.9717, "verified_at": 1774990193939}'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'requested', 0, 'RQ_006', NULL, NULL, NULL),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'requested', 1, 'RQ_001', NULL, NULL, NULL),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'accepted', 0, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 'accepted', 1, 'RQ_001', 'RTP_001', 'RQC_001', '{"frames": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4Iy31vd6Uwf/sb6bSVgAqPQXwLALkJwAAAABJRU5ErkJggg==", "content_type": "image/png"}], "result": "PASSED", "similarity": 0.9785, "verified_at": 1774884209013}'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'requested', 0, 'RQ_005', NULL, NULL, NULL),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'requested', 1, 'RQ_006', NULL, NULL, NULL),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'declined', 0, 'RQ_005', NULL, NULL, NULL),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 'accepted', 0, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 0, 'RQ_003', NULL, NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 1, 'RQ_001', NULL, NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 2, 'RQ_005', NULL, NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'requested', 3, 'RQ_006', NULL, NULL, NULL),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'accepted', 0, 'RQ_003', 'RTP_003', 'RQC_001', '{"image": {"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGPIVT1fvPAug7qdb3/0bQAn2QXKd3vxCgAAAABJRU5ErkJggg==", "content_type": "image/png"}, "taken_at": 1774819491454}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'accepted', 1, 'RQ_001', 'RTP_001', 'RQC_001', '{"frames": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGPIVT1fvPAug7qdb3/0bQAn2QXKd3vxCgAAAABJRU5ErkJggg==", "content_type": "image/png"}], "result": "PASSED", "similarity": 0.9897, "verified_at": 1774819551454}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'accepted', 2, 'RQ_005', 'RTP_002', 'RQC_002', '{"nationalities": [{"since_birth": true, "country_code": "CL"}]}'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 'accepted', 3, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 0, 'RQ_002', NULL, NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 1, 'RQ_006', NULL, NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'requested', 2, 'RQ_004', NULL, NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'declined', 0, 'RQ_004', NULL, NULL, NULL),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'accepted', 0, 'RQ_002', 'RTP_002', 'RQC_001', '{}'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 'accepted', 1, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 0, 'RQ_001', NULL, NULL, NULL),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 1, 'RQ_005', NULL, NULL, NULL),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 2, 'RQ_003', NULL, NULL, NULL),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 'requested', 3, 'RQ_006', NULL, NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 0, 'RQ_003', NULL, NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 1, 'RQ_007', NULL, NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 2, 'RQ_002', NULL, NULL, NULL),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 'requested', 3, 'RQ_006', NULL, NULL, NULL),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 'requested', 0, 'RQ_003', NULL, NULL, NULL),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 'requested', 1, 'RQ_001', NULL, NULL, NULL),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 'accepted', 0, 'RQ_003', 'RTP_003', 'RQC_001', '{"image": {"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4Iy31vd6Uwf/sb6bSVgAqPQXwLALkJwAAAABJRU5ErkJggg==", "content_type": "image/png"}, "taken_at": 1775005176416}'),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 'accepted', 1, 'RQ_001', 'RTP_001', 'RQC_001', '{"frames": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4Iy31vd6Uwf/sb6bSVgAqPQXwLALkJwAAAABJRU5ErkJggg==", "content_type": "image/png"}], "result": "PASSED", "similarity": 0.9785, "verified_at": 1775005236416}'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 0, 'RQ_001', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 1, 'RQ_006', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 2, 'RQ_007', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'requested', 3, 'RQ_003', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 0, 'RQ_001', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 1, 'RQ_006', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 2, 'RQ_007', NULL, NULL, NULL),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 'declined', 3, 'RQ_003', NULL, NULL, NULL),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', 'requested', 0, 'RQ_007', NULL, NULL, NULL),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 'requested', 0, 'RQ_003', NULL, NULL, NULL),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 'accepted', 0, 'RQ_003', 'RTP_003', 'RQC_001', '{"image": {"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4Iy31vd6Uwf/sb6bSVgAqPQXwLALkJwAAAABJRU5ErkJggg==", "content_type": "image/png"}, "taken_at": 1774906666372}'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'requested', 0, 'RQ_001', NULL, NULL, NULL),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'requested', 1, 'RQ_006', NULL, NULL, NULL),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'accepted', 0, 'RQ_001', 'RTP_001', 'RQC_001', '{"frames": [{"content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGMolY2UXjWXgWvpnc2hBwEhhwWi768FbAAAAABJRU5ErkJggg==", "content_type": "image/png"}], "result": "PASSED", "similarity": 0.9411, "verified_at": 1774870620971}'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 'accepted', 1, 'RQ_006', 'RTP_005', 'RQC_003', '{}'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'accepted', 0, 'RQ_006', 'RTP_005', 'RQC_003', NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'accepted', 1, 'RQ_007', 'RTP_004', 'RQC_002', NULL),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 'accepted', 2, 'RQ_001', 'RTP_001', 'RQC_001', NULL);
INSERT INTO warehouse.timeline_events VALUES
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 0, 'ACCEPTED', '2026-03-31 12:41:42.272+00', 'Activity created', '16f441ba-faae-42ea-a851-949d43f8608e'),
	('0b256931-ae51-48b3-8558-02c1ce4592e0', 1, 'COMPLETED', '2026-03-31 12:43:37.086+00', 'Finalised by both sides', 'c694e1d8-1f1b-444a-ae4e-9ebb52f015cb'),
	('1a638126-3853-44d8-9b03-f6000bcde71a', 0, 'ACTION_REQUIRED', '2026-03-29 17:35:59.6+00', 'Activity created', 'd46a3ff7-6deb-4352-a222-dc08737d8f00'),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 0, 'SENT', '2026-03-31 19:15:28.672+00', 'Activity created', 'c68ec201-39d2-41df-a2ec-1defe7a88ca7'),
	('4ae10f49-17e5-4cc7-a164-c1bbcac58b3a', 1, 'ACCEPTED', '2026-03-31 20:49:53.939+00', 'تمت المشاركة', '01a259ea-a64d-4834-a512-45f175fc84a1'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 0, 'SENT', '2026-03-30 15:20:01.831+00', 'Activity created', 'e0bfb13b-3e89-4502-a562-22f1d50bc1ea'),
	('50b2d47b-d943-46d8-ad7b-40c2df91280c', 1, 'ACCEPTED', '2026-03-30 15:23:29.013+00', 'Shared as requested.', 'dcac89d4-5356-48de-affe-2b856d56f7d6'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 0, 'ACTION_REQUIRED', '2026-03-31 14:17:59.986+00', 'Activity created', 'f92db3c8-d828-4768-a527-8af9a19221cc'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 1, 'ACCEPTED', '2026-03-31 15:09:28.659+00', 'Accepted, here you are.', '943d011a-678b-4c7d-a464-832793c3aeeb'),
	('6aba5db1-c957-4350-9356-465cc31f67a1', 2, 'COMPLETED', '2026-03-31 16:52:54.027+00', 'Finalised by both sides', 'a272ec11-bb00-458e-a84e-a5daf51d0c96'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 0, 'SENT', '2026-03-29 15:58:55.498+00', 'Activity created', 'def70483-a63c-44ff-a588-2a705b7e232f'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 1, 'ACCEPTED', '2026-03-29 21:25:51.454+00', 'Accepted, here you are.', 'bbce9106-80db-45a8-a9a0-c9b72f7603b4'),
	('6cd4c5fa-a42a-47af-9298-13570e8cb5d3', 2, 'COMPLETED', '2026-03-31 18:11:43.183+00', 'Finalised by both sides', '6b29dca9-39c0-4a7f-acce-17b8b9456f43'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 0, 'SENT', '2026-03-30 19:42:59.035+00', 'Activity created', 'ef9d5551-605f-4db8-ac6a-22581cb11ba4'),
	('87af8fc6-c9e1-45cf-a3bd-c4b7525a76c5', 1, 'ACCEPTED', '2026-03-30 19:42:59.044+00', 'Shared as requested.', '9a005433-b01c-4084-afd8-8a6e7e4666e0'),
	('8dd66536-80d7-4d5c-a7ee-24d4f32cdb08', 0, 'ACTION_REQUIRED', '2026-03-30 13:24:00.727+00', 'Activity created', 'eee5ee51-d041-457b-a785-2fd948afa87a'),
	('96c57ea6-391b-4729-a885-ad026bb9fac2', 0, 'SENT', '2026-03-31 17:15:03.153+00', 'Activity created', '76d18804-fd2e-4eaf-afc9-74c0b8f615da'),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 0, 'SENT', '2026-03-31 15:46:39.673+00', 'Activity created', 'a422f84b-0afe-46df-afb2-dfd8de7bf2de'),
	('9f6586be-3952-4fdc-9dda-fc7878d137df', 1, 'ACCEPTED', '2026-04-01 01:00:36.416+00', 'Accepted, here you are.', '97c47241-c399-43ef-a8d7-0987e4aacc58'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 0, 'ACTION_REQUIRED', '2026-03-30 15:39:00.064+00', 'Activity created', '349f3952-b3cd-4b2a-acf2-e75a7956f26c'),
	('9f6e973e-b48b-44e1-9e28-c5e5dec57791', 1, 'DECLINED', '2026-03-30 15:39:00.066+00', 'Ask my office, please.', '42f96a42-d027-47f9-a164-fe41c43360c6'),
	('c705a4be-25d0-404f-9caf-ff812ac183c9', 0, 'ACTION_REQUIRED', '2026-03-31 12:46:02.075+00', 'Activity created', '0d91103b-7fd3-4608-a150-f4846aae725c'),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 0, 'SENT', '2026-03-29 16:32:32.416+00', 'Activity created', '223d7ada-6f34-44dd-a975-f9efda0bac13'),
	('e52d04bf-7ecc-4a13-afd0-cdd009b3d50b', 1, 'ACCEPTED', '2026-03-30 21:38:46.372+00', 'Listo, gracias 🙌', 'af8056f4-e735-4008-af2b-b2acaf9f5006'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 0, 'SENT', '2026-03-30 09:07:09.571+00', 'Activity created', '95fcf7eb-6b45-4729-af25-701177ff5894'),
	('ed92f9a4-9200-4187-983a-736de177bf70', 1, 'ACCEPTED', '2026-03-30 11:37:00.971+00', 'Accepted, here you are.', '1d7d76bb-6979-4223-a286-bf70f9964af6');
SELECT pg_catalog.setval('sync.quarantine_id_seq', 3, true);
ALTER TABLE ONLY analytics.codes
    ADD CONSTRAINT codes_pkey PRIMARY KEY (kind, code);
ALTER TABLE ONLY landing.activity_details
    ADD CONSTRAINT activity_details_pkey PRIMARY KEY (activity_id, first_seen_at);
ALTER TABLE ONLY landing.activity_list_rows
    ADD CONSTRAINT activity_list_rows_pkey PRIMARY KEY (activity_id, first_seen_at);
ALTER TABLE ONLY sync._yoyo_log
    ADD CONSTRAINT _yoyo_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sync._yoyo_version
    ADD CONSTRAINT _yoyo_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY sync.activity_ledger
    ADD CONSTRAINT activity_ledger_pkey PRIMARY KEY (activity_id);
ALTER TABLE ONLY sync.coverage
    ADD CONSTRAINT coverage_pkey PRIMARY KEY (day);
ALTER TABLE ONLY sync.erased_entities
    ADD CONSTRAINT erased_entities_pkey PRIMARY KEY (entity_id);
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
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (migration_hash);
ALTER TABLE ONLY sync.service_facts
    ADD CONSTRAINT service_facts_pkey PRIMARY KEY (fact);
ALTER TABLE ONLY sync.unknown_values
    ADD CONSTRAINT unknown_values_pkey PRIMARY KEY (kind, value);
ALTER TABLE ONLY sync.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY sync.view_versions
    ADD CONSTRAINT view_versions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sync.yoyo_lock
    ADD CONSTRAINT yoyo_lock_pkey PRIMARY KEY (locked);
ALTER TABLE ONLY warehouse.accepted_items
    ADD CONSTRAINT accepted_items_pkey PRIMARY KEY (activity_id, requirement_position, "position");
ALTER TABLE ONLY warehouse.activities
    ADD CONSTRAINT activities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY warehouse.authorization_requests
    ADD CONSTRAINT authorization_requests_activity_id_key UNIQUE (activity_id);
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
CREATE UNIQUE INDEX activity_funnel_key ON analytics.activity_funnel USING btree (day, type, in_out_bound) NULLS NOT DISTINCT;
CREATE INDEX counterpart_activity_activities ON analytics.counterpart_activity USING btree (activities);
CREATE UNIQUE INDEX counterpart_activity_key ON analytics.counterpart_activity USING btree (entity_id);
CREATE INDEX counterpart_activity_last_contact_at ON analytics.counterpart_activity USING btree (last_contact_at);
CREATE UNIQUE INDEX daily_status_changes_key ON analytics.daily_status_changes USING btree (created_day, day, status) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX daily_status_key ON analytics.daily_status USING btree (day, status) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX decision_times_key ON analytics.decision_times USING btree (month, type, in_out_bound) NULLS NOT DISTINCT;
CREATE INDEX requirement_outcomes_code ON analytics.requirement_outcomes USING btree (code, day);
CREATE UNIQUE INDEX requirement_outcomes_key ON analytics.requirement_outcomes USING btree (day, code) NULLS NOT DISTINCT;
CREATE INDEX activity_ledger_day ON sync.activity_ledger USING btree (day) INCLUDE (unlisted_at, gone_at, details_digest);
CREATE INDEX activity_ledger_deadline ON sync.activity_ledger USING btree (deadline_at) WHERE ((deadline_at IS NOT NULL) AND (gone_at IS NULL));
CREATE INDEX activity_ledger_open ON sync.activity_ledger USING btree (day, service_time) WHERE ((NOT final) AND (gone_at IS NULL));
CREATE INDEX activity_ledger_unlisted ON sync.activity_ledger USING btree (unlisted_at) WHERE ((unlisted_at IS NOT NULL) AND (gone_at IS NULL));
CREATE INDEX quarantine_activity ON sync.quarantine USING btree (activity_id);
CREATE UNIQUE INDEX quarantine_open ON sync.quarantine USING btree (source, subject) WHERE (resolved_at IS NULL);
CREATE INDEX quarantine_open_day ON sync.quarantine USING btree (day) WHERE (resolved_at IS NULL);
CREATE INDEX run_changes_gone ON sync.run_changes USING btree (activity_id, recorded_at) WHERE (change = ANY (ARRAY['gone'::text, 'returned'::text]));
CREATE INDEX runs_running ON sync.runs USING btree (run_id) WHERE (status = 'running'::text);
CREATE INDEX runs_started_at ON sync.runs USING btree (started_at DESC);
CREATE INDEX verifications_finished_at ON sync.verifications USING btree (finished_at DESC);
CREATE INDEX accepted_items_code ON warehouse.accepted_items USING btree (requirement_code, code);
CREATE INDEX activities_created_at ON warehouse.activities USING btree (created_at);
CREATE INDEX activities_details_fetched_at ON warehouse.activities USING btree (details_fetched_at);
CREATE INDEX activities_entity_id ON warehouse.activities USING btree (entity_id);
CREATE INDEX activities_expired_to_erase ON warehouse.activities USING btree (id) WHERE ((values_erased_at IS NULL) AND (status = 'EXPIRED'::text));
CREATE INDEX activities_expires_at ON warehouse.activities USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX activities_status ON warehouse.activities USING btree (status, created_at);
CREATE INDEX activities_to_erase ON warehouse.activities USING btree (expires_at) WHERE ((values_erased_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX activities_valid_until ON warehouse.activities USING btree (valid_until);
CREATE UNIQUE INDEX authorization_requests_digest ON warehouse.authorization_requests USING btree (digest) WHERE (reference IS NULL);
CREATE INDEX authorization_requests_open ON warehouse.authorization_requests USING btree (sent_at) WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text, 'unknown'::text]));
CREATE INDEX authorization_requests_sent_at ON warehouse.authorization_requests USING btree (sent_at);
CREATE INDEX authorization_requests_waiting ON warehouse.authorization_requests USING btree (requested_at, id) WHERE (state = 'queued'::text);
CREATE INDEX entities_cifcode ON warehouse.entities USING btree (cifcode);
CREATE INDEX entities_unregistered ON warehouse.entities USING btree (id) WHERE unregistered;
CREATE INDEX requirements_code ON warehouse.requirements USING btree (code, disposition);
CREATE TRIGGER queue_everything AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON analytics.codes FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_changed_zone AFTER UPDATE ON sync.service_facts FOR EACH ROW WHEN ((((old.fact IS DISTINCT FROM new.fact) OR (old.value IS DISTINCT FROM new.value)) AND (('configured_zone'::text = old.fact) OR ('configured_zone'::text = new.fact)))) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON sync.activity_ledger FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON sync.service_facts FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_moved AFTER UPDATE ON sync.activity_ledger FOR EACH ROW WHEN ((old.day IS DISTINCT FROM new.day)) EXECUTE FUNCTION sync.queue_days();
CREATE TRIGGER queue_new AFTER INSERT ON sync.activity_ledger REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_days();
CREATE TRIGGER queue_new_zone AFTER INSERT ON sync.service_facts FOR EACH ROW WHEN ((new.fact = 'configured_zone'::text)) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_removed AFTER DELETE ON sync.activity_ledger REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_days();
CREATE TRIGGER queue_removed_zone AFTER DELETE ON sync.service_facts FOR EACH ROW WHEN ((old.fact = 'configured_zone'::text)) EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON warehouse.authorization_requests FOR EACH ROW EXECUTE FUNCTION warehouse.guard_authorization_request();
CREATE TRIGGER keep_score_of_changed AFTER UPDATE ON warehouse.entities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION warehouse.keep_score();
CREATE TRIGGER keep_score_of_new AFTER INSERT ON warehouse.entities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION warehouse.keep_score();
CREATE TRIGGER queue_changed AFTER UPDATE ON warehouse.activities REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON warehouse.activities FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_everything();
CREATE TRIGGER queue_new AFTER INSERT ON warehouse.activities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
CREATE TRIGGER queue_new AFTER INSERT ON warehouse.entities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_entities();
CREATE TRIGGER queue_removed AFTER DELETE ON warehouse.activities REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_activities();
CREATE TRIGGER queue_removed AFTER DELETE ON warehouse.entities REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION sync.queue_entities();
ALTER TABLE ONLY sync.run_changes
    ADD CONSTRAINT run_changes_run_id_fkey FOREIGN KEY (run_id) REFERENCES sync.runs(run_id) ON DELETE CASCADE;
ALTER TABLE ONLY sync.verifications
    ADD CONSTRAINT verifications_run_id_fkey FOREIGN KEY (run_id) REFERENCES sync.runs(run_id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.accepted_items
    ADD CONSTRAINT accepted_items_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES warehouse.activities(id) ON DELETE CASCADE;
ALTER TABLE ONLY warehouse.activities
    ADD CONSTRAINT activities_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES warehouse.entities(id);
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
