-- How ids are read, where SQL reads responses (docs/service.md 2.4).
create or replace function landing.read_uuid(value text) returns uuid
language sql
immutable
set search_path = pg_catalog
as $$
    select
        case
            when value ~* '^\s*(urn:uuid:|\{)?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?\s*$'
                then regexp_replace(value, 'urn:uuid:|[^0-9a-f]', '', 'gi')::uuid
        end
$$;
