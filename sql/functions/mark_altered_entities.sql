-- Marks counterparts whose rows somebody writes outside of a run, with their activities.
create or replace function sync.mark_altered_entities() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
declare
    ids uuid[];
begin
    -- Its own writes are nobody's. The function can't have the setting: only a superuser may say so.
    perform set_config('sync.loading', 'on', true);
    -- A counterpart without a row can't be marked: the next run looks for all that landing knows.
    if tg_table_name = 'entities' and tg_op in ('DELETE', 'TRUNCATE') then
        insert into sync.service_facts (fact, value, learned_at) values ('counterparts_lost', 'yes', now())
        on conflict (fact) do nothing;
    end if;
    if tg_op = 'TRUNCATE' then
        update warehouse.entities set digest = '' where digest <> '';
        update sync.activity_ledger set altered = true where not altered;
        perform set_config('sync.loading', '', true);
        return null;
    elsif tg_op = 'INSERT' then
        ids := array(select (to_jsonb(after) ->> tg_argv[0])::uuid from after);
    else
        ids := array(select (to_jsonb(before) ->> tg_argv[0])::uuid from before);
    end if;
    -- An empty digest is nobody's: the next observation is news.
    update warehouse.entities set digest = '' where id = any(ids) and digest <> '';
    update sync.activity_ledger set altered = true
    where not altered
        and activity_id in (
            select activity.id from warehouse.activities as activity where activity.entity_id = any(ids)
        );
    perform set_config('sync.loading', '', true);
    return null;
end
$$;
