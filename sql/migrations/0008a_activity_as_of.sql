-- depends: 0008_analytics
-- The second clock: not what the service says happened (timeline_events), but what we knew when,
-- from the versions in landing. Without personal values, so that analysts may ask.

create function landing.read_json(body bytea) returns jsonb
language plpgsql
immutable
set search_path = pg_catalog
as $$
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
comment on function landing.read_json is
    'A response''s bytes as jsonb; characters that PostgreSQL can''t hold are replaced. Null: it is no JSON.';

create function landing.read_instant(value jsonb) returns timestamptz
language sql
immutable
set search_path = pg_catalog
as $$
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
comment on function landing.read_instant is
    'Epoch milliseconds as a number, a numeric string, or an object holding one number, as an instant (specification 2.6).';

create view landing.activity_versions as
select
    version.activity_id,
    version.source,
    version.known_from,
    version.known_to,
    parsed.fields ->> 'type' as type,
    parsed.fields ->> 'in_out_bound' as in_out_bound,
    lower(parsed.fields #>> '{entity,id}')::uuid as entity_id,
    parsed.fields ->> 'status' as status,
    parsed.fields ->> 'time_zone' as time_zone,
    landing.read_instant(parsed.fields -> 'valid_until') as valid_until,
    landing.read_instant(nullif(parsed.fields -> 'attended_at', '0')) as attended_at,
    landing.read_instant(nullif(parsed.fields -> 'completed_at', '0')) as completed_at,
    landing.read_instant(nullif(parsed.fields -> 'expires_at', '0')) as expires_at,
    landing.read_instant(parsed.fields -> 'created_at') as created_at,
    landing.read_instant(parsed.fields -> 'updated_at') as updated_at,
    parsed.fields #>> '{expires_in,time_unit}' as expires_in_time_unit,
    (parsed.fields #>> '{expires_in,amount}')::numeric as expires_in_amount
from (
    select
        details.activity_id,
        'details' as source,
        details.first_seen_at as known_from,
        (
            select min(later.first_seen_at)
            from landing.activity_details as later
            where later.activity_id = details.activity_id
                and later.first_seen_at > details.first_seen_at
        ) as known_to,
        details.body
    from landing.activity_details as details
    union all
    select
        listed.activity_id,
        'list',
        listed.first_seen_at,
        least(
            (
                select min(later.first_seen_at)
                from landing.activity_list_rows as later
                where later.activity_id = listed.activity_id
                    and later.first_seen_at > listed.first_seen_at
            ),
            first_details.at
        ),
        listed.body
    from landing.activity_list_rows as listed
    cross join lateral (
        select min(details.first_seen_at) as at
        from landing.activity_details as details
        where details.activity_id = listed.activity_id
    ) as first_details
    where first_details.at is null or listed.first_seen_at < first_details.at
) as version
cross join lateral (select landing.read_json(version.body) as fields) as parsed;

comment on view landing.activity_versions is
    'Every version of every activity that we ever held, with the time for which it was the newest. A list row counts until the first details.';
comment on column landing.activity_versions.activity_id is 'The activity.';
comment on column landing.activity_versions.source is 'details or list: which response carried it.';
comment on column landing.activity_versions.known_from is 'When it was first received.';
comment on column landing.activity_versions.known_to is 'When the next one was received; null: it is the newest.';
comment on column landing.activity_versions.type is 'Activity type code.';
comment on column landing.activity_versions.in_out_bound is 'IN: received; OUT: sent.';
comment on column landing.activity_versions.entity_id is 'The counterpart.';
comment on column landing.activity_versions.status is 'Activity status.';
comment on column landing.activity_versions.time_zone is 'Time zone of the activity, as it came.';
comment on column landing.activity_versions.valid_until is 'When it becomes CANCELED if nobody answers.';
comment on column landing.activity_versions.attended_at is 'When the counterpart accepted or declined.';
comment on column landing.activity_versions.completed_at is 'When it was set to COMPLETED.';
comment on column landing.activity_versions.expires_at is 'When the shared resources stop being available.';
comment on column landing.activity_versions.created_at is 'When it was created.';
comment on column landing.activity_versions.updated_at is 'When the service last updated it.';
comment on column landing.activity_versions.expires_in_time_unit is 'Unit of the sharing period.';
comment on column landing.activity_versions.expires_in_amount is 'Length of the sharing period in that unit.';

create index run_changes_gone on sync.run_changes (activity_id, recorded_at)
where change in ('gone', 'returned');

create type analytics.known_activity as (
    id uuid,
    source text,
    known_from timestamptz,
    known_to timestamptz,
    type text,
    in_out_bound text,
    entity_id uuid,
    status text,
    time_zone text,
    valid_until timestamptz,
    attended_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    expires_in_time_unit text,
    expires_in_amount numeric,
    gone boolean
);
comment on type analytics.known_activity is
    'A row of analytics.activity_as_of. source: details or list; known_from and known_to: how long this version was the newest; gone: whether the service had been found to offer it no more; the rest as in warehouse.activities.';

create function analytics.activity_as_of(at timestamptz, activity uuid)
returns setof analytics.known_activity
language sql
stable
security definer
set search_path = pg_catalog
as $$
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
comment on function analytics.activity_as_of(timestamptz, uuid) is
    'One activity as we knew it at an instant, from the responses received until then; no row: not known yet.';

create function analytics.activity_as_of(at timestamptz)
returns setof analytics.known_activity
language sql
stable
security definer
set search_path = pg_catalog
as $$
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
comment on function analytics.activity_as_of(timestamptz) is
    'Every activity as we knew it at an instant, from the responses received until then. Reads and parses every landed version: of one activity the other form tells at once.';
