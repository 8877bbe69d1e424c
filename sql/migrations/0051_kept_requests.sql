-- depends: 0010_authorization_requests
-- A request whose call may have had an effect is not deleted: the same file again would ask its person twice.

create function warehouse.keep_authorization_requests() returns trigger
language plpgsql
as $$
begin
    raise exception 'an authorization request that may have been sent is not deleted: its person could be asked twice'
        using
            errcode = 'check_violation',
            hint = 'To empty the requests of a person, use `pipeline erase`. To end one that is queued, use `pipeline authorize cancel`.';
end
$$;
create trigger keep_sent
before delete on warehouse.authorization_requests
for each row when (old.sent_at is not null) execute function warehouse.keep_authorization_requests();
create trigger keep_all
before truncate on warehouse.authorization_requests
for each statement execute function warehouse.keep_authorization_requests();
