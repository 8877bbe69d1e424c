-- depends: 0012_withheld
-- How the activity of each request was recognised, whose it is, and what a person decided.

alter table warehouse.authorization_requests
    add column clock_offset double precision,
    add column recognized jsonb,
    add column counterpart_id text,
    add column resolved_from text check (resolved_from in ('sent', 'unknown'));

-- Whether a number was asked before, and whose it is.
create index authorization_requests_number on warehouse.authorization_requests (phone_number);
create index authorization_requests_recognized on warehouse.authorization_requests (clock_offset, sent_at)
where recognized is not null;

-- Refuse each change of state that is not in docs/authorizations.md "States".
create or replace function warehouse.guard_authorization_request() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        if new.state <> 'queued' then
            raise exception 'an authorization request begins as queued' using errcode = 'check_violation';
        end if;
        return new;
    end if;
    if new.state <> old.state and (old.state, new.state) not in (
        ('queued', 'sending'), ('queued', 'failed'),
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'rejected'), ('sending', 'unknown'),
        ('sent', 'linked'), ('sent', 'queued'), ('sent', 'failed'),
        ('unknown', 'linked'), ('unknown', 'queued'), ('unknown', 'failed'),
        ('rejected', 'queued'), ('failed', 'queued')
    ) and not (
        -- A person takes a decision back: what the call did is open again.
        old.state in ('linked', 'failed') and new.state is not distinct from old.resolved_from
    ) then
        raise exception 'an authorization request does not go from % to %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state in ('sending', 'sent', 'unknown', 'linked')
        and (
            new.description, new.phone_country_code,
            new.validity_time_unit, new.validity_amount, new.requirements
        ) is distinct from (
            old.description, old.phone_country_code,
            old.validity_time_unit, old.validity_amount, old.requirements
        )
        -- A number written before numbers were held in E.164 is rewritten once.
        or old.state in ('sending', 'sent', 'unknown', 'linked')
        and new.phone_number <> old.phone_number
        and not (old.phone_number not like '+%' and new.phone_number like '+%')
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
end
$$;
