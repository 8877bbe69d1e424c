-- Rows of the ledger that somebody removes come back, as altered: what hung on them is written again.
create or replace function sync.keep_ledger() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
    if tg_op = 'DELETE' then
        insert into sync.activity_ledger (activity_id, day, altered)
        select activity_id, day, true from before
        on conflict (activity_id) do nothing;
    else
        insert into sync.activity_ledger (activity_id, altered)
        select distinct activity_id, true from landing.activity_list_rows
        union
        select distinct activity_id, true from landing.activity_details
        on conflict (activity_id) do nothing;
    end if;
    return null;
end
$$;
