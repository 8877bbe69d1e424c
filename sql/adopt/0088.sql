-- Brings a warehouse of migration 0088, the last one before 1.0, to the tables of sql/schema. It changes no data, and
-- no object or grant of others. Views without a file are dropped after it, as always (pipeline/warehouse/schema/views.py).

create temporary table going (relation regclass, column_name text) on commit drop;
insert into going values
    ('warehouse.authorization_requests', 'clock_offset'),
    ('warehouse.authorization_requests', 'recognized'),
    ('analytics.authorization_requests', 'clock_offset'),
    ('analytics.authorization_requests', 'reference'),
    ('sync.coverage', 'unverified'),
    ('sync.refresh_queue', 'day'),
    ('sync.verifications', 'share_low'),
    ('sync.verifications', 'share_high'),
    ('sync.activity_ledger', 'odd'),
    ('sync.activity_ledger', 'odd_run');

-- Everything that reads these relations, with what it needs of them.
create temporary table reading on commit drop as
select
    going.relation,
    going.column_name,
    view.oid as view,
    coalesce(
        pg_describe_object('pg_class'::regclass, view.oid, 0),
        pg_describe_object(need.classid, need.objid, need.objsubid)
    ) as name,
    view.relkind is not distinct from 'v' as is_view,
    view.relnamespace = 'analytics'::regnamespace
    and view.relname in (select ours.name from sync.view_versions as ours) is true as is_ours,
    bool_or(need.refobjsubid = attribute.attnum) as needs_column
from going
inner join pg_attribute as attribute
    on attribute.attrelid = going.relation and attribute.attname = going.column_name
inner join pg_depend as need
    on need.refclassid = 'pg_class'::regclass and need.refobjid = going.relation and need.deptype <> 'i'
left join pg_rewrite as rule on need.classid = 'pg_rewrite'::regclass and rule.oid = need.objid
left join pg_class as view on view.oid = rule.ev_class
where view.oid is distinct from going.relation
    -- From PostgreSQL 18 on, `not null` is a constraint with a row of its own.
    and not (
        need.classid = 'pg_constraint'::regclass
        and need.objid in (select oid from pg_constraint where conrelid = going.relation and contype = 'n')
    )
group by 1, 2, 3, 4, 5, 6;

-- What others built on it must go first. PostgreSQL would drop their indexes on such a column without a word. A view
-- is made again without its column, and only other views can be pointed to the new one.
do $$
declare
    others text;
begin
    select string_agg(distinct format('%s depends on %s', name, what), '; ')
    into others
    from (
        select
            reading.*,
            case
                when needs_column then format('column %I of %s', column_name, relation)
                else relation::text
            end as what
        from reading
        inner join pg_class on pg_class.oid = relation
        where not is_ours and (needs_column or relkind = 'v' and not is_view)
    ) as theirs;
    if others is not null then
        raise exception 'others built on what goes' using
            errcode = 'dependent_objects_still_exist', detail = others;
    end if;
end
$$;

-- Columns of analytics have names that say what they are. What others built on them follows by itself.
do $$
declare
    renamed record;
begin
    for renamed in
        select *
        from (
            values
            ('activities', 'created_hour', 'created_hour_local'),
            ('activities', 'answered_hour', 'answered_hour_local'),
            ('activities', 'final', 'is_final'),
            ('activities', 'completed', 'is_completed'),
            ('activities', 'shared', 'is_shared'),
            ('activities', 'values_erased_at', 'erased_at'),
            ('activities', 'personal_erased_at', 'emptied_at'),
            ('requirements', 'asked', 'is_asked'),
            ('requirements', 'accepted', 'is_accepted'),
            ('items', 'asked', 'is_asked'),
            ('items', 'accepted', 'is_accepted'),
            ('counterparts', 'unregistered', 'is_unregistered'),
            ('counterparts', 'last_heard_at', 'last_heard_at_if_ever'),
            ('counterparts', 'last_heard_day', 'last_heard_day_if_ever'),
            ('counterparts', 'received', 'received_activities'),
            ('counterparts', 'sent', 'sent_activities'),
            ('counterparts', 'they_accepted', 'they_accepted_activities'),
            ('counterparts', 'they_declined', 'they_declined_activities'),
            ('counterparts', 'they_ignored', 'they_ignored_activities'),
            ('counterparts', 'we_accepted', 'we_accepted_activities'),
            ('counterparts', 'we_declined', 'we_declined_activities'),
            ('counterparts', 'we_ignored', 'we_ignored_activities'),
            ('days', 'complete', 'is_complete'),
            ('days', 'week_is_whole', 'is_whole_week'),
            ('days', 'month_is_whole', 'is_whole_month'),
            ('days', 'listed', 'listed_activities'),
            ('days', 'stored', 'stored_activities'),
            ('days', 'quarantined', 'quarantined_activities'),
            ('days', 'gone', 'gone_activities'),
            ('freshness', 'complete_through', 'complete_so_far_except_quarantined'),
            ('freshness', 'quarantined', 'quarantined_activities'),
            ('freshness', 'not_counted', 'uncounted_changes'),
            ('activities_by_created_day', 'created', 'created_activities'),
            ('activities_by_created_day', 'pending', 'pending_activities'),
            ('activities_by_created_day', 'accepted', 'accepted_activities'),
            ('activities_by_created_day', 'declined', 'declined_activities'),
            ('activities_by_created_day', 'canceled', 'canceled_activities'),
            ('activities_by_created_day', 'other', 'other_activities'),
            ('activities_by_created_day', 'answered', 'answered_activities'),
            ('activities_by_created_day', 'completed', 'completed_activities'),
            ('activities_by_created_day', 'sharing_ended', 'sharing_ended_activities'),
            ('activities_by_created_day', 'gone', 'gone_activities'),
            ('activities_by_answered_day', 'answered', 'answered_activities'),
            ('activities_by_answered_day', 'accepted', 'accepted_activities'),
            ('activities_by_answered_day', 'declined', 'declined_activities'),
            ('activities_by_month', 'month_is_whole', 'is_whole_month'),
            ('activities_by_month', 'created', 'created_activities'),
            ('activities_by_month', 'answered', 'answered_activities'),
            ('activities_by_month', 'accepted', 'accepted_activities'),
            ('activities_by_month', 'declined', 'declined_activities'),
            ('activities_by_month', 'canceled', 'canceled_activities'),
            ('activities_by_month', 'completed', 'completed_activities'),
            ('entity_history', 'unregistered', 'is_unregistered'),
            ('open_activities', 'overdue', 'is_overdue'),
            ('authorization_outcomes', 'final', 'is_final'),
            ('authorization_outcomes', 'accepted', 'accepted_codes')
        ) as listed (relation, former, name)
    loop
        execute format(
            'alter table analytics.%I rename column %I to %I', renamed.relation, renamed.former, renamed.name
        );
    end loop;
end
$$;

-- Our own readers are emptied. All views are made again by their files: what a dump restored has other names in it.
do $$
declare
    reader record;
begin
    for reader in select distinct view::regclass as name from reading where is_ours loop
        execute format(
            'create or replace view %s as select %s',
            reader.name,
            (
                select string_agg(
                    format('null::%s as %I', format_type(atttypid, atttypmod), attname), ', ' order by attnum
                )
                from pg_attribute
                where attrelid = reader.name and attnum > 0
            )
        );
    end loop;
    update sync.view_versions set digest = '' where refreshed_at is null;
end
$$;

-- A view loses a column only by being made again: with the grants on it, and under the views of others. One of
-- analytics gets its query by its file.
do $$
declare
    former record;
    query text;
    restored text[];
    said text;
begin
    for former in
        select relation, relation::text as name, relname || '_0088' as former_name, array_agg(column_name) as columns
        from going
        inner join pg_class on pg_class.oid = relation and relkind = 'v'
        group by relation, relname
    loop
        restored := array(
            select format(
                'grant %s%s on %s to %s%s',
                held.privilege_type,
                held.columns,
                former.name,
                case when held.grantee = 0 then 'public' else held.grantee::regrole::text end,
                case when held.is_grantable then ' with grant option' else '' end
            )
            from (
                select acl.*, '' as columns
                from pg_class
                cross join lateral aclexplode(relacl) as acl
                where oid = former.relation and acl.grantee <> relowner
                union all
                select acl.*, format(' (%I)', attname)
                from pg_attribute
                cross join lateral aclexplode(attacl) as acl
                where attrelid = former.relation and attname <> all(former.columns)
            ) as held
            union all
            select distinct format(
                'create or replace view %s %s as %s',
                view::regclass,
                'with (' || array_to_string(reloptions, ', ') || ')',
                pg_get_viewdef(view)
            )
            from reading
            inner join pg_class on pg_class.oid = view
            where relation = former.relation and not is_ours
        );
        select string_agg(format('null::%s as %I', format_type(atttypid, atttypmod), attname), ', ' order by attnum)
        into query
        from pg_attribute
        where attrelid = former.relation and attnum > 0 and attname <> all(former.columns);
        execute format('alter view %s rename to %I', former.name, former.former_name);
        execute format('create view %s as select %s', former.name, query);
        foreach said in array restored loop
            execute said;
        end loop;
        execute format('drop view %s', former.relation);
    end loop;
    create or replace view sync.coverage as
    select * from sync.coverage_of('-infinity', 'infinity');
end
$$;

alter table warehouse.authorization_requests
    drop column clock_offset,
    drop column recognized,
    add column subscriber text,
    add column more_activity_ids uuid[] not null default '{}',
    add constraint authorization_requests_more check (state = 'linked' or more_activity_ids = '{}');
drop index warehouse.authorization_requests_number;
-- The file of the view makes it again, by another expression.
drop index analytics.activities_open;
create index authorization_requests_subscriber on warehouse.authorization_requests (coalesce(subscriber, phone_number));
create index authorization_requests_more on warehouse.authorization_requests (id) where more_activity_ids <> '{}';
alter table sync.refresh_queue drop column day, add column id bigint generated always as identity primary key;
alter table sync.verifications drop column share_low, drop column share_high;

-- Details are stored as they come. What is in doubt about them stands in the ledger.
alter table sync.activity_ledger
    drop column odd,
    drop column odd_run,
    add column discrepancy text,
    add column doubted bytea,
    add column discrepancy_since timestamptz,
    add column discrepancy_settled_at timestamptz,
    add column spelling text,
    add column unsettled boolean generated always as (
        altered
        or gone_at is not null
        or unlisted_at is not null
        or not_yet_at is not null
        or (settled = listed) is not true
        or not final
        or deadline_at is not null
        or discrepancy is not null
    ) stored;
create index activity_ledger_discrepancy on sync.activity_ledger (discrepancy_settled_at)
where discrepancy is not null;
create index entities_altered on warehouse.entities (id) where digest = '';
create index activity_ledger_unsettled on sync.activity_ledger (day) where unsettled;
drop index sync.activity_ledger_times;
create index activity_ledger_times on sync.activity_ledger
using brin (listed_at, checked_at, unlisted_at, service_time, mapping_version) with (autosummarize = on);
create table sync.habits (
    discrepancy text primary key,
    suspected_at timestamptz not null,
    confirmed_at timestamptz
);

-- Which activities the stored views show otherwise, for exports of what changed.
create table sync.fact_changes (
    activity_id uuid primary key,
    changed_at timestamptz not null
);

-- Decisions that answers showed once, and later ones no longer do.
create table warehouse.kept_decisions (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    position integer not null,
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
create trigger queue_new after insert on warehouse.kept_decisions
referencing new table as touched for each statement execute function sync.queue_kept_decisions();
create trigger queue_changed after update on warehouse.kept_decisions
referencing new table as touched for each statement execute function sync.queue_kept_decisions();
create trigger queue_removed after delete on warehouse.kept_decisions
referencing old table as touched for each statement execute function sync.queue_kept_decisions();
select sync.watch('warehouse.kept_decisions', 'activity_id', 'sync.mark_altered');

-- Names that former versions left, as they are in a new warehouse.
do $$
declare
    former record;
begin
    execute 'create or replace view landing.activity_versions as ' || replace(
        replace(
            replace(pg_get_viewdef('landing.activity_versions'::regclass), '''list''::text AS text', '''list'''),
            'read_json', 'read_fields'
        ),
        '(lower((parsed.fields #>> ''{entity,id}''::text[])))::uuid',
        'landing.read_uuid((parsed.fields #>> ''{entity,id}''::text[]))'
    );
    -- From version 18 on PostgreSQL names what says `not null`.
    for former in
        select conname from pg_constraint where conrelid = 'sync.days'::regclass and conname like 'coverage%'
    loop
        execute format(
            'alter table sync.days rename constraint %I to %I', former.conname, replace(former.conname, 'coverage', 'days')
        );
    end loop;
end
$$;

-- Its record is that of a new warehouse from now on.
delete from sync.schema_migrations where digest is null;
