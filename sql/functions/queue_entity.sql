-- What stored views compute again: the activities of a counterpart whose registration changed.
create or replace function sync.queue_entity() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue (entity_id) values (new.id);
    return null;
end
$$;
