-- Puts triggers on a table: whatever is written to it outside of a run is marked. Runs set sync.loading.
create or replace function sync.watch(watched regclass, id_column text, marking regproc) returns void
language plpgsql
as $$
declare
    operation text;
begin
    foreach operation in array array['insert', 'update', 'delete', 'truncate'] loop
        execute format(
            'create trigger altered_by_%1$s after %1$s on %2$s %3$s for each statement'
            ' when (coalesce(current_setting(''sync.loading'', true), '''') <> ''on'')'
            ' execute function %4$s(%5$L)',
            operation,
            watched,
            case operation
                when 'insert' then 'referencing new table as after'
                when 'update' then 'referencing old table as before new table as after'
                when 'delete' then 'referencing old table as before'
            end,
            marking,
            id_column
        );
    end loop;
end
$$;
