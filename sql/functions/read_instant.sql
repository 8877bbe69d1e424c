-- How the service's instants are read, where SQL reads responses. A text of ISO 8601 needs an offset.
create or replace function landing.read_instant(value jsonb) returns timestamptz
language plpgsql
immutable
set search_path = pg_catalog
as $$
declare
    told text := value #>> '{}';
    micros numeric;
begin
    if jsonb_typeof(value) = 'object' then
        select round(max(field.value::numeric) * 1000)
        into micros
        from jsonb_each(value) as field
        where jsonb_typeof(field.value) = 'number';
    elsif told ~ '^\s*\d{4}-.*(Z|[+-]\d\d:?\d\d)\s*$' then
        return told::timestamptz;
    else
        micros := round(trim(told)::numeric * 1000);
    end if;
    return (
        timestamp '1970-01-01'
        + floor(micros / 86400000000) * interval '1 day'
        + mod(mod(micros, 86400000000) + 86400000000, 86400000000) * interval '1 microsecond'
    ) at time zone 'UTC';
exception when others then
    return null; -- as the mirror takes what it can't read
end
$$;
