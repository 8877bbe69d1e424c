-- depends: 0017_recognition
-- What the register of consents needs to know: who gives in each type of activity, since when a counterpart
-- is unregistered, and the order in which a counterpart's consents follow each other.

alter table analytics.codes
    add column giver text check (giver in ('receiver', 'sender', 'both'));
update analytics.codes set giver = said.giver
from (
    values ('AT_001', 'receiver'), ('AT_002', 'sender'), ('AT_003', 'both'), ('AT_004', 'receiver')
) as said (code, giver)
where codes.kind = 'activity_type' and codes.code = said.code;

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

create index activities_shared_from on warehouse.activities (
    entity_id, coalesce(attended_at, created_at, first_seen_at), id
);
