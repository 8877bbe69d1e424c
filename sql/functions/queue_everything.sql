-- What stored views compute again: everything, since the change concerns every row.
create or replace function sync.queue_everything() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue default values;
    return null;
end
$$;
