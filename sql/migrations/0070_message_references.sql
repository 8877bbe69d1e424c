-- depends: 0051_kept_requests
-- Identity that is made: a reference in each message. Numbers are compared as E.164, and no function takes one apart.
-- Whether a person is asked again is decided when a number is written.

alter table warehouse.authorization_requests add column message_reference text unique;
drop index warehouse.authorization_requests_recognized;
delete from sync.service_facts where fact like 'authorization\_%';

create function warehouse.was_asked(asked_number text, within_days integer, besides uuid) returns boolean
language sql
stable
as $$
    select exists (
        select
        from warehouse.authorization_requests as request
        where request.phone_number = asked_number
            and request.id is distinct from besides
            -- A call that a person gave up may have asked.
            and (request.state not in ('rejected', 'failed') or request.resolved_from is not null)
            and greatest(request.requested_at, request.sent_at) > now() - within_days * interval '1 day'
    )
$$;

create function sync.is_erased_phone(number text) returns boolean
language sql
stable
as $$
    select
        exists (select from sync.erased_phones where digest = sync.phone_digest(number))
        -- Erased as a counterpart, before anybody knew the number.
        or exists (
            select
            from warehouse.authorization_requests as request
            inner join sync.erased_entities as erased on erased.entity_id::text = request.counterpart_id
            where request.phone_number = number
        )
$$;

-- Requests that were refused because another person's number was spelled alike.
update warehouse.authorization_requests
set state_reason = 'refused by mistake as erased: `pipeline authorize resolve --requeue` sends it'
where state = 'failed'
    and state_reason = 'the person''s data were erased on request'
    and phone_number like '+%'
    and not sync.is_erased_phone(phone_number);

-- What old spellings of known numbers left. Other spellings can't be told from digests of E.164: they stay, and match
-- no number any more.
delete from sync.erased_phones
where digest in (
    select sync.phone_digest(spelled.number)
    from warehouse.authorization_requests as request
    cross join lateral unnest(sync.phone_spellings(request.phone_country_code, request.phone_number)) as spelled (number)
    where request.phone_number like '+%' and spelled.number not like '+%'
);

drop function sync.is_erased_phone(text, text);
drop function sync.phone_spellings(text, text);
drop function sync.national_digits(text);

create or replace function warehouse.guard_authorization_request() returns trigger
language plpgsql
as $$
declare
    erased constant boolean := new.phone_number = '' and new.description = '';
    repeat_days integer;
begin
    if tg_op = 'INSERT' and new.state <> 'queued' then
        raise exception 'an authorization request begins as queued' using errcode = 'check_violation';
    end if;
    if new.state = 'queued' and new.phone_number like '+%'
        and (tg_op = 'INSERT' or old.phone_number not like '+%')
    then
        if current_setting('transaction_isolation') = 'repeatable read' then
            raise exception 'authorization requests are not written in a repeatable read transaction: it does not see who was asked';
        end if;
        -- Two writers of the same number: the second one waits until the first one's row is visible.
        perform pg_advisory_xact_lock(1635084402);
        select coalesce(max(value::integer), 30) into repeat_days from sync.service_facts where fact = 'repeat_days';
        if repeat_days > 0 and warehouse.was_asked(new.phone_number, repeat_days, new.id) then
            new.state := 'failed';
            new.state_reason := format('this person was asked within %s days', repeat_days);
        end if;
    end if;
    if tg_op = 'INSERT' then
        return new;
    end if;
    if new.state <> old.state and (old.state, new.state) not in (
        ('queued', 'sending'), ('queued', 'linked'), ('queued', 'failed'),
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'rejected'), ('sending', 'unknown'),
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
