-- How the service's instants are read, where SQL reads responses.
create or replace function landing.read_instant(value jsonb) returns timestamptz
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
