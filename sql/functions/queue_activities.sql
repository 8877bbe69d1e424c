-- What stored views compute again: activities that were written or removed. While there are no facts they are computed
-- as a whole, so one row a statement says enough. It must be a new one: a refresh under way may have taken the others.
-- The catalog tells it, since the first refresh locks the facts.
create or replace function sync.queue_activities() returns trigger
language plpgsql
as $$
begin
    if (select reltuples <= 0 from pg_class where oid = to_regclass('analytics.activities')) then
        insert into sync.refresh_queue default values;
    elsif tg_op = 'DELETE' then
        insert into sync.refresh_queue (activity_id) select id from replaced;
    else
        insert into sync.refresh_queue (activity_id) select id from written;
    end if;
    return null;
end
$$;
