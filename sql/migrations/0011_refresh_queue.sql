-- depends: 0010_authorization_requests
-- The stored views of analytics are brought up to date only where something changed. What changed is
-- queued by triggers, in the transaction that changes it, whoever writes. Whatever is queued twice is
-- refreshed once.

create table sync.refresh_queue (
    activity_id uuid,
    entity_id uuid,
    day date
);
comment on table sync.refresh_queue is
    'What changed since the stored views of analytics were last refreshed; a row of nulls: everything. A refresh takes all rows out.';
comment on column sync.refresh_queue.activity_id is 'An activity written or removed: the day it belongs to by then is counted anew.';
comment on column sync.refresh_queue.entity_id is 'A counterpart that has, or had, this activity, or is new or removed: it is counted anew.';
comment on column sync.refresh_queue.day is 'A day that activities came to or left, in the configured time zone: it is counted anew.';

create function sync.queue_everything() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue default values;
    return null;
end
$$;
comment on function sync.queue_everything is 'Queues all there is: what changed concerns every row.';

-- Activities. Their ledger rows follow in the same transaction, so the day is looked up when the queue
-- is read. Their children are written with them; where only children change, the writer queues the
-- activity itself (sql/refresh/queue.sql), since triggers on them would cost each load much more.
create function sync.queue_activities() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (activity_id, entity_id)
        select id, entity_id from written;
    elsif tg_op = 'UPDATE' then
        insert into sync.refresh_queue (activity_id, entity_id)
        select id, entity_id from written
        union
        select id, entity_id from replaced;
    else
        -- The ledger row may go as well, before the queue is read.
        insert into sync.refresh_queue (activity_id, entity_id, day)
        select replaced.id, replaced.entity_id, ledger.day
        from replaced
        left join sync.activity_ledger as ledger on ledger.activity_id = replaced.id;
    end if;
    return null;
end
$$;
comment on function sync.queue_activities is 'Queues activities just written or removed, with the counterparts they have and had.';

create trigger queue_new after insert on warehouse.activities
referencing new table as written
for each statement execute function sync.queue_activities();

create trigger queue_changed after update on warehouse.activities
referencing old table as replaced new table as written
for each statement execute function sync.queue_activities();

create trigger queue_removed after delete on warehouse.activities
referencing old table as replaced
for each statement execute function sync.queue_activities();

create trigger queue_emptied after truncate on warehouse.activities
for each statement execute function sync.queue_everything();

-- The ledger tells the day of each activity.
create function sync.queue_days() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (day)
        select distinct day from written where day is not null;
    elsif tg_op = 'UPDATE' then
        insert into sync.refresh_queue (activity_id, day) values (new.activity_id, old.day);
    else
        insert into sync.refresh_queue (activity_id, day)
        select activity_id, day from replaced;
    end if;
    return null;
end
$$;
comment on function sync.queue_days is 'Queues the days that activities came to or left.';

create trigger queue_new after insert on sync.activity_ledger
referencing new table as written
for each statement execute function sync.queue_days();

create trigger queue_moved after update on sync.activity_ledger
for each row when (old.day is distinct from new.day) execute function sync.queue_days();

create trigger queue_removed after delete on sync.activity_ledger
referencing old table as replaced
for each statement execute function sync.queue_days();

create trigger queue_emptied after truncate on sync.activity_ledger
for each statement execute function sync.queue_everything();

-- Counterparts: one without activities is counted, too. What else is known of them is not stored, and
-- they are never truncated without activities.
create function sync.queue_entities() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        insert into sync.refresh_queue (entity_id) select id from written;
    else
        insert into sync.refresh_queue (entity_id) select id from replaced;
    end if;
    return null;
end
$$;
comment on function sync.queue_entities is 'Queues counterparts just added or removed.';

create trigger queue_new after insert on warehouse.entities
referencing new table as written
for each statement execute function sync.queue_entities();

create trigger queue_removed after delete on warehouse.entities
referencing old table as replaced
for each statement execute function sync.queue_entities();

-- Labels, stages and what is final are joined into rows; the zone cuts the days of the stock.
create trigger queue_everything after insert or update or delete or truncate on analytics.codes
for each statement execute function sync.queue_everything();

create trigger queue_new_zone after insert on sync.service_facts
for each row when (new.fact = 'configured_zone') execute function sync.queue_everything();

create trigger queue_changed_zone after update on sync.service_facts
for each row when (
    (old.fact, old.value) is distinct from (new.fact, new.value)
    and 'configured_zone' in (old.fact, new.fact)
)
execute function sync.queue_everything();

create trigger queue_removed_zone after delete on sync.service_facts
for each row when (old.fact = 'configured_zone') execute function sync.queue_everything();

create trigger queue_emptied after truncate on sync.service_facts
for each statement execute function sync.queue_everything();

comment on column sync.view_versions.refreshed_at is
    'For a stored view: as of when its rows are; null: a plain view, always current.';
