-- Triggers that keep books: what somebody alters by hand, and what the stored views of analytics are stale for.

create function sync.mark_altered() returns trigger
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

create function sync.mark_altered_entities() returns trigger
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

create function sync.keep_ledger() returns trigger
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

create trigger kept_by_delete after delete on sync.activity_ledger
referencing old table as before for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.keep_ledger();

create trigger kept_by_truncate after truncate on sync.activity_ledger
for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.keep_ledger();

do $$
declare
    marked record;
    operation text;
    seen text;
begin
    for marked in
        select *
        from (values
            ('warehouse.activities', 'id', 'sync.mark_altered'),
            ('warehouse.requirements', 'activity_id', 'sync.mark_altered'),
            ('warehouse.requirement_items', 'activity_id', 'sync.mark_altered'),
            ('warehouse.accepted_items', 'activity_id', 'sync.mark_altered'),
            ('warehouse.timeline_events', 'activity_id', 'sync.mark_altered'),
            ('warehouse.kept_decisions', 'activity_id', 'sync.mark_altered'),
            ('landing.activity_details', 'activity_id', 'sync.mark_altered'),
            ('landing.activity_list_rows', 'activity_id', 'sync.mark_altered'),
            ('warehouse.entities', 'id', 'sync.mark_altered_entities'),
            ('warehouse.entity_social_media', 'entity_id', 'sync.mark_altered_entities'),
            ('warehouse.entity_scores', 'entity_id', 'sync.mark_altered_entities')
        ) as listed (relation, id, function)
    loop
        foreach operation in array array['insert', 'update', 'delete', 'truncate'] loop
            seen := case operation
                when 'insert' then 'referencing new table as after'
                when 'update' then 'referencing old table as before new table as after'
                when 'delete' then 'referencing old table as before'
                else ''
            end;
            execute format(
                'create trigger altered_by_%s after %s on %s %s for each statement'
                ' when (coalesce(current_setting(''sync.loading'', true), '''') <> ''on'')'
                ' execute function %s(%L)',
                operation, operation, marked.relation, seen, marked.function, marked.id
            );
        end loop;
    end loop;
end
$$;

create function sync.queue_activities() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'DELETE' then
        insert into sync.refresh_queue (activity_id) select id from replaced;
    else
        insert into sync.refresh_queue (activity_id) select id from written;
    end if;
    return null;
end
$$;

create function sync.queue_entity() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue (entity_id) values (new.id);
    return null;
end
$$;

create function sync.queue_everything() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue default values;
    return null;
end
$$;

create trigger queue_everything after insert or update or delete or truncate on analytics.codes
for each statement
execute function sync.queue_everything();

create trigger queue_changed_zone after update on sync.service_facts
for each row
when (
    (old.fact is distinct from new.fact or old.value is distinct from new.value)
    and ('configured_zone' = old.fact or 'configured_zone' = new.fact)
)
execute function sync.queue_everything();

create trigger queue_emptied after truncate on sync.service_facts
for each statement
execute function sync.queue_everything();

create trigger queue_new_zone after insert on sync.service_facts
for each row
when (new.fact = 'configured_zone')
execute function sync.queue_everything();

create trigger queue_removed_zone after delete on sync.service_facts
for each row
when (old.fact = 'configured_zone')
execute function sync.queue_everything();

create trigger queue_changed after update on warehouse.activities
referencing old table as replaced new table as written for each statement
execute function sync.queue_activities();

create trigger queue_emptied after truncate on warehouse.activities
for each statement
execute function sync.queue_everything();

create trigger queue_new after insert on warehouse.activities
referencing new table as written for each statement
execute function sync.queue_activities();

create trigger queue_registration after update on warehouse.entities
for each row
when (
    old.unregistered is distinct from new.unregistered or old.unregistered_at is distinct from new.unregistered_at
)
execute function sync.queue_entity();

create trigger queue_removed after delete on warehouse.activities
referencing old table as replaced for each statement
execute function sync.queue_activities();

-- They change with their activity, or alone, where landing is mapped again.
create function sync.queue_kept_decisions() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue (activity_id) select distinct activity_id from touched;
    return null;
end
$$;
comment on function sync.queue_kept_decisions is 'Queues activities of which decisions are kept, or no longer.';

create trigger queue_new after insert on warehouse.kept_decisions
referencing new table as touched
for each statement execute function sync.queue_kept_decisions();

create trigger queue_removed after delete on warehouse.kept_decisions
referencing old table as touched
for each statement execute function sync.queue_kept_decisions();

create trigger queue_changed after update on warehouse.kept_decisions
referencing new table as touched
for each statement execute function sync.queue_kept_decisions();
