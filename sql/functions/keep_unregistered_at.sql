-- Since when a counterpart is seen unregistered.
create or replace function warehouse.keep_unregistered_at() returns trigger
language plpgsql
as $$
begin
    if new.unregistered is not true then
        new.unregistered_at := null;
    elsif tg_op = 'INSERT' then
        new.unregistered_at := new.observed_at;
    else
        new.unregistered_at := coalesce(old.unregistered_at, new.observed_at);
    end if;
    return new;
end
$$;
