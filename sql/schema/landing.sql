-- Responses as received, and earlier versions of them.

create schema landing;

create table landing.activity_details (
    activity_id uuid,
    first_seen_at timestamptz,
    last_seen_at timestamptz not null,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
-- The planner's statistics would be one more copy of the bodies.
alter table landing.activity_details alter column body set statistics 0;
create index activity_details_times on landing.activity_details using brin (first_seen_at)
with (autosummarize = on);

create table landing.activity_list_rows (
    activity_id uuid,
    first_seen_at timestamptz,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
alter table landing.activity_list_rows alter column body set statistics 0;
create index activity_list_rows_times on landing.activity_list_rows using brin (first_seen_at)
with (autosummarize = on);

create function landing.read_instant(value jsonb) returns timestamptz
language plpgsql
immutable
set search_path = pg_catalog
as $$
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
