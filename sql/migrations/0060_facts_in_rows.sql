-- depends: 0051_kept_requests
-- What is known of an activity stands in its row of the ledger. Coverage and the work to do are views of these
-- rows. Whoever alters rows by hand marks them by triggers; so digests of rows are kept no longer.

-- The digests are now of what a response means. Those of older versions are made again from landing: their
-- mapping_version differs.
alter table sync.activity_ledger rename column fingerprint to listed;
alter table sync.activity_ledger rename column details_fingerprint to settled;
alter table sync.activity_ledger rename column details_digest to details;
alter table sync.activity_ledger
    -- A check, since temporary copies of the table would keep a `not null`.
    add column altered boolean default false check (altered is not null),
    add column odd bytea,
    add column odd_run text,
    add column not_yet_at timestamptz;

drop function sync.count_days(date[]);
drop function sync.altered_activities(date[]);
drop view sync.activity_digests;
drop view sync.entity_digests;
drop table sync.entity_ledger;
drop table sync.volatile_fields;
alter table sync.activity_ledger drop column list_digest, drop column rows_digest;
create index activity_ledger_altered on sync.activity_ledger (activity_id) where altered;

-- What a person has accepted is shown, and no longer alarms.
alter table sync.quarantine
    add column accepted_at timestamptz,
    add column accepted_by text,
    add column accepted_because text;

-- An empty digest now says that somebody altered a counterpart; one that was erased has another one.
update warehouse.entities set digest = '\x00' where digest = '';

-- An activity without its row in the ledger is nobody's.
insert into sync.activity_ledger (activity_id, day, altered)
select stored.id, stored.created_at::date, true
from warehouse.activities as stored
where not exists (
        select from sync.activity_ledger as known where known.activity_id = stored.id
    );
alter table warehouse.activities add constraint activities_in_ledger
foreign key (id) references sync.activity_ledger (activity_id) on delete cascade;

-- So no activity waits for its row in the ledger, and none is left without.
drop trigger queue_new on sync.activity_ledger;
drop trigger queue_emptied on sync.activity_ledger;

-- The verdicts of the walks become a table of their own, and the view takes the name. Views that read the table
-- are emptied for a moment, and read the view then.
create temporary table reading on commit drop as
select distinct
    view.oid,
    view.oid::regclass::text as name,
    pg_get_viewdef(view.oid) as definition
from pg_depend as need
inner join pg_rewrite as rule on rule.oid = need.objid
inner join pg_class as view on view.oid = rule.ev_class and view.relkind = 'v'
where need.classid = 'pg_rewrite'::regclass and need.refobjid = 'sync.coverage'::regclass;

-- So do privileges that others were granted on it.
create temporary table granted on commit drop as
select granted.grantee::regrole::text as grantee, string_agg(granted.privilege_type, ', ') as privileges
from pg_class as held
cross join lateral aclexplode(held.relacl) as granted
where held.oid = 'sync.coverage'::regclass and granted.grantee not in (0, held.relowner)
group by granted.grantee;

do $$
declare
    reader record;
begin
    for reader in select * from pg_temp.reading loop
        execute format(
            'create or replace view %s as select %s',
            reader.name,
            (
                select string_agg(
                    format('null::%s as %I', format_type(atttypid, atttypmod), attname), ', ' order by attnum
                )
                from pg_attribute
                where attrelid = reader.oid and attnum > 0 and not attisdropped
            )
        );
    end loop;
end
$$;

alter table sync.coverage rename to days;
alter table sync.days rename constraint coverage_pkey to days_pkey;
alter table sync.days rename column verified_at to proven_at;
alter table sync.days rename column unverified to unproven;
alter table sync.days drop column stored, drop column quarantined, drop column gone, drop column listed_digest;
revoke all on sync.days from public;

-- Their text stands in sql/functions.
create function sync.coverage_of(first date, last date) returns table (
    day date, listed bigint, stored bigint, quarantined bigint, gone bigint, verified_at timestamptz,
    incomplete text, run_id text, accepted bigint
)
language plpgsql
as 'begin end';

-- unverified: as before, for one version.
create view sync.coverage as
select
    covered.day, covered.listed, covered.stored, covered.quarantined, covered.gone, covered.verified_at,
    covered.incomplete, covered.run_id, covered.accepted, walked.unproven as unverified
from sync.coverage_of('-infinity', 'infinity') as covered
inner join sync.days as walked on walked.day = covered.day;

do $$
declare
    reader record;
begin
    for reader in select * from pg_temp.reading loop
        begin
            execute format('create or replace view %s as %s', reader.name, reader.definition);
        exception when undefined_column then
            raise exception 'the view % reads a column of sync.coverage that is gone: change it first', reader.name;
        end;
    end loop;
    for reader in select * from pg_temp.granted loop
        execute format('revoke all on sync.days from %s', reader.grantee);
        execute format('grant %s on sync.coverage to %s', reader.privileges, reader.grantee);
    end loop;
end
$$;

create function sync.todo_of(first date, last date, service_now timestamptz, stale_before timestamptz)
returns table (activity_id uuid, day date, reason text)
language plpgsql
as 'begin end';

create view sync.todo as
select activity_id, day, reason
from sync.todo_of('-infinity', 'infinity', now(), now() - interval '7 days');

-- Whoever writes rows outside of a run marks their activities, in the same transaction. Our own connections set
-- sync.loading.
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

-- Rows of the ledger that somebody removes come back, as altered: whatever hung on them is written again.
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

create trigger kept_by_truncate after truncate on sync.activity_ledger for each statement
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
