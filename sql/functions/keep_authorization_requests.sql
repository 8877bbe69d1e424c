-- Refuses to delete requests that may have been sent.
create or replace function warehouse.keep_authorization_requests() returns trigger
language plpgsql
as $$
begin
    raise exception 'an authorization request that may have been sent is not deleted: its person could be asked twice'
        using
            errcode = 'check_violation',
            hint = 'To empty the requests of a person, use `pipeline erase`. To end one that is queued, use `pipeline authorize cancel`.';
end
$$;
