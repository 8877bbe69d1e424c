-- What stored views compute again: activities of which decisions are kept, or no longer.
create or replace function sync.queue_kept_decisions() returns trigger
language plpgsql
as $$
begin
    insert into sync.refresh_queue (activity_id) select distinct activity_id from touched;
    return null;
end
$$;
