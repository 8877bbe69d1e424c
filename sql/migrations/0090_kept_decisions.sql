-- depends: 0088_unread_indexes
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
