-- What landing.activity_versions is made of: a response without what its columns can't hold.
create or replace function landing.read_fields(body bytea) returns jsonb
language sql
immutable
set search_path = pg_catalog
as $$
    select
        case when jsonb_typeof(fields) = 'object' then fields end
        - case when fields #>> '{expires_in,amount}' !~ '^\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*$' then 'expires_in' else '' end
    from landing.read_json(body) as fields
$$;
