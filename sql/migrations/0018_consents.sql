-- depends: 0017_recognition
-- What the register of consents needs to know: who gives in each type of activity, since when a counterpart
-- is unregistered, and the order in which a counterpart's consents follow each other.

alter table analytics.codes add column giver text check (giver in ('receiver', 'sender', 'both'));
-- Filled by a change of type: no trigger fires, for no stored view has read it so far.
alter table analytics.codes alter column giver type text using case
    when kind <> 'activity_type' then null
    when code in ('AT_001', 'AT_004') then 'receiver'
    when code = 'AT_002' then 'sender'
    when code = 'AT_003' then 'both'
end;

alter table warehouse.entities add column unregistered_at timestamptz;
update warehouse.entities set unregistered_at = observed_at where unregistered;

create function warehouse.keep_unregistered_at() returns trigger
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

create trigger keep_unregistered_at
before insert or update on warehouse.entities
for each row execute function warehouse.keep_unregistered_at();

-- It begins like the former index, and serves all its queries.
drop index warehouse.activities_entity_id;
create index activities_shared_from on warehouse.activities (
    entity_id, coalesce(attended_at, created_at, first_seen_at), id
);
