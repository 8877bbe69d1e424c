-- depends: 0051_kept_requests
-- The facts of analytics are stored by activity, and counted when they are read: what is queued is an
-- activity, or a counterpart whose registration changed. Days are cut from created_at, so the ledger queues
-- nothing. Whose name now means something else is kept as a deprecated view (sql/deprecated).

drop function sync.queue_days() cascade;
drop function sync.queue_entities() cascade;
drop trigger if exists queue_emptied on sync.activity_ledger;

create or replace function sync.queue_activities() returns trigger
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
comment on function sync.queue_activities is 'Queues activities just written or removed.';

create function sync.queue_entity() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue (entity_id) values (new.id);
    return null;
end
$$;
comment on function sync.queue_entity is 'Queues a counterpart: its activities are computed again.';

-- Its registration ends what can be read in all its activities.
create trigger queue_registration after update on warehouse.entities
for each row when (
    (old.unregistered, old.unregistered_at) is distinct from (new.unregistered, new.unregistered_at)
)
execute function sync.queue_entity();

do $$
declare
    renamed record;
begin
    for renamed in
        select name from sync.view_versions where name in ('activities', 'requirements', 'counterparts')
    loop
        execute format('alter view analytics.%I rename to %I', renamed.name, 'deprecated_' || renamed.name);
        update sync.view_versions set name = 'deprecated_' || name where name = renamed.name;
    end loop;
    for renamed in
        select column_of.*
        from (
            values
            ('authorization_outcomes', 'stage', 'outcome'),
            ('authorization_outcomes', 'asked', 'requirements_asked'),
            ('authorization_outcomes', 'given', 'requirements_accepted'),
            ('authorization_outcomes', 'readable_now', 'requirements_readable'),
            ('consents', 'day', 'created_day'),
            ('consents', 'type', 'requirement_type'),
            ('open_activities', 'id', 'activity_id'),
            ('open_activities', 'day', 'created_day'),
            ('open_activities', 'type', 'activity_type'),
            ('open_activities', 'type_label', 'activity_type_label'),
            ('shared_values', 'type', 'requirement_type')
        ) as column_of (view, name, new_name)
        inner join sync.view_versions on view_versions.name = column_of.view
        inner join pg_attribute as attribute
            on attribute.attrelid = to_regclass('analytics.' || column_of.view)
            and attribute.attname = column_of.name
    loop
        execute format(
            'alter view analytics.%I rename column %I to %I', renamed.view, renamed.name, renamed.new_name
        );
    end loop;
end
$$;
