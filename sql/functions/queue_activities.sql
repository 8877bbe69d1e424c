-- What stored views compute again: activities that were written or removed.
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
