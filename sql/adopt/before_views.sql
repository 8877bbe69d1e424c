-- A warehouse that stands at 0088 becomes one of 1.0: what functions and views need. No data change.
alter table sync.activity_ledger
    drop column odd,
    drop column odd_run,
    add column discrepancy text,
    add column doubted bytea,
    add column discrepancy_since timestamptz,
    add column discrepancy_settled_at timestamptz;

create index activity_ledger_discrepancy on sync.activity_ledger (discrepancy_settled_at)
where discrepancy is not null;

create table sync.habits (
    discrepancy text primary key,
    suspected_at timestamptz not null,
    confirmed_at timestamptz
);

-- Decisions that answers showed once, and later ones no longer do.
create table warehouse.kept_decisions (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    position integer,
    requirement_code text,
    requirement_occurrence integer not null,
    item_code text,
    item_occurrence integer,
    decision text not null check (decision in ('accepted', 'declined')),
    decided_by text,
    type text,
    category text,
    asked boolean not null,
    shown_from timestamptz not null,
    shown_until timestamptz not null,
    primary key (activity_id, position)
);

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

create trigger altered_by_insert after insert on warehouse.kept_decisions
referencing new table as after for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.mark_altered('activity_id');

create trigger altered_by_update after update on warehouse.kept_decisions
referencing old table as before new table as after for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.mark_altered('activity_id');

create trigger altered_by_delete after delete on warehouse.kept_decisions
referencing old table as before for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.mark_altered('activity_id');

create trigger altered_by_truncate after truncate on warehouse.kept_decisions
for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.mark_altered('activity_id');

-- A view loses a column only if it is made again. Views that read it then read the new one: ours by their files,
-- those of others as they are. Who may read it still may.
do $$
declare
    reader record;
    privilege record;
begin
    create temporary table readers on commit drop as
    select
        view.oid::regclass::text as name,
        format(
            'create or replace view %s %s as %s',
            view.oid::regclass,
            coalesce('with (' || array_to_string(view.reloptions, ', ') || ')', ''),
            pg_get_viewdef(view.oid)
        ) as definition
    from pg_class as view
    where view.relkind = 'v'
        and view.oid <> 'sync.coverage'::regclass
        and not (view.relnamespace = 'analytics'::regnamespace and view.relname in (select ours.name from sync.view_versions as ours))
        and exists (
            select
            from pg_rewrite as rule
            inner join pg_depend as need on need.classid = 'pg_rewrite'::regclass and need.objid = rule.oid
            where rule.ev_class = view.oid and need.refobjid = 'sync.coverage'::regclass
        );
    create temporary table granted on commit drop as
    select each.grantee::regrole::text as grantee, string_agg(each.privilege_type, ', ') as privileges
    from pg_class as view
    cross join lateral aclexplode(view.relacl) as each
    where view.oid = 'sync.coverage'::regclass and each.grantee not in (0, view.relowner)
    group by each.grantee;

    alter view sync.coverage rename to coverage_of_0088;
    create view sync.coverage as
    select day, listed, stored, quarantined, gone, verified_at, incomplete, run_id, accepted
    from sync.coverage_of('-infinity', 'infinity');

    for reader in select * from pg_temp.readers loop
        begin
            execute reader.definition;
        exception when undefined_column then
            raise exception 'somebody reads what goes' using
                errcode = 'dependent_objects_still_exist',
                detail = format('view %s reads the column unverified of sync.coverage, which goes', reader.name);
        end;
    end loop;
    for privilege in select * from pg_temp.granted loop
        execute format('grant %s on sync.coverage to %s', privilege.privileges, privilege.grantee);
    end loop;
    update sync.view_versions set digest = '' where name in ('days', 'freshness');
end
$$;

