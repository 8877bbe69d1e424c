-- Marks activities whose rows somebody writes outside of a run: their next details are news.
create or replace function sync.mark_altered() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
    if tg_op = 'TRUNCATE' then
        update sync.activity_ledger set altered = true where not altered;
    elsif tg_op = 'UPDATE' then
        update sync.activity_ledger set altered = true
        where not altered
            and activity_id in (
                select (to_jsonb(before) ->> tg_argv[0])::uuid from before
                union
                select (to_jsonb(after) ->> tg_argv[0])::uuid from after
            );
    elsif tg_op = 'DELETE' then
        update sync.activity_ledger set altered = true
        where not altered and activity_id in (select (to_jsonb(before) ->> tg_argv[0])::uuid from before);
    else
        update sync.activity_ledger set altered = true
        where not altered and activity_id in (select (to_jsonb(after) ->> tg_argv[0])::uuid from after);
    end if;
    return null;
end
$$;
