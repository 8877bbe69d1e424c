-- How the bytes of a response are read, where SQL reads responses.
create or replace function landing.read_json(body bytea) returns jsonb
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
