-- Whether a response, which need not be JSON, says an id in any spelling.
create or replace function landing.mentions(body bytea, id uuid) returns boolean
language sql
immutable
as $$
    select
        case
            -- All spellings have eight digits in a row. Few bodies have them, and bytes are found quickly.
            when position(left(id::text, 8)::bytea in body) > 0 or position(upper(left(id::text, 8))::bytea in body) > 0
                then position(replace(id::text, '-', '') in replace(lower(encode(body, 'escape')), '-', '')) > 0
            else false
        end
$$;
