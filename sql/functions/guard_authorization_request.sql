-- The states of a request and their order (docs/authorizations.md), and that each person is asked once.
create or replace function warehouse.guard_authorization_request() returns trigger
language plpgsql
as $$
declare
    erased constant boolean := new.phone_number = '' and new.description = '';
    person text;
    repeat_days integer;
begin
    if tg_op = 'INSERT' and new.state <> 'queued' then
        raise exception 'an authorization request begins as queued' using errcode = 'check_violation';
    end if;
    if tg_op = 'UPDATE' and new.phone_number <> old.phone_number and new.subscriber is not distinct from old.subscriber then
        new.subscriber := null;  -- whoever sends reads the new number
    end if;
    -- No SQL takes a number apart: one that is not in E.164 yet is nobody's.
    person := coalesce(new.subscriber, case when new.phone_number like '+%' then new.phone_number end);
    if new.state = 'queued' and person is not null
        and (tg_op = 'INSERT' or person <> coalesce(old.subscriber, old.phone_number))
    then
        if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
            raise exception 'authorization requests are not written in a % transaction: it does not see who was asked',
                current_setting('transaction_isolation');
        end if;
        -- Two writers of the same person: the second one waits until the first one's row is visible.
        perform pg_advisory_xact_lock(1635084402);
        select coalesce(max(value::integer), 30) into repeat_days from sync.service_facts where fact = 'repeat_days';
        if repeat_days > 0 and warehouse.was_asked(person, repeat_days, new.id) then
            new.state := 'failed';
            new.state_reason := format('this person was asked within %s days', repeat_days);
        end if;
    end if;
    if tg_op = 'INSERT' then
        return new;
    end if;
    if new.state <> old.state and (old.state, new.state) not in (
        ('queued', 'sending'), ('queued', 'linked'), ('queued', 'rejected'), ('queued', 'failed'),
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'unknown'),
        ('sent', 'linked'), ('sent', 'queued'), ('sent', 'failed'),
        ('unknown', 'linked'), ('unknown', 'queued'), ('unknown', 'failed'),
        ('rejected', 'queued'), ('rejected', 'linked'), ('failed', 'queued'), ('failed', 'linked')
    ) and not (
        -- A person takes a decision back: what the call did is open again.
        old.state in ('linked', 'failed') and new.state is not distinct from old.resolved_from
    ) then
        raise exception 'an authorization request does not go from % to %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state in ('sending', 'sent', 'unknown', 'linked')
        and not erased
        and (
            (
                new.description, new.phone_country_code, new.message_reference,
                new.validity_time_unit, new.validity_amount, new.requirements
            ) is distinct from (
                old.description, old.phone_country_code, old.message_reference,
                old.validity_time_unit, old.validity_amount, old.requirements
            )
            -- A number written before numbers were held in E.164 is rewritten once.
            or new.phone_number <> old.phone_number
            and not (old.phone_number not like '+%' and new.phone_number like '+%')
        )
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
end
$$;
