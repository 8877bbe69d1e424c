-- depends: 0018_consents
-- The whole person: activities that ended long ago lose all that is personal, messages go on request, and
-- of a person who was asked only keyed digests of the number stay.

alter table warehouse.activities add column personal_erased_at timestamptz;
create index activities_to_empty on warehouse.activities (created_at) where personal_erased_at is null;

alter table sync.erasures drop constraint erasures_reason_check;
alter table sync.erasures add constraint erasures_reason_check
check (reason in ('expired', 'unregistered', 'request', 'messages', 'retention'));
alter table sync.erased_entities add column messages boolean not null default false;
alter table sync.runs add column erased bigint not null default 0;

-- There are few telephone numbers: without the key, whoever has a digest could try them all.
alter table sync.privacy add column phone_key bytea not null default decode(
    replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'
);
create table sync.erased_phones (
    digest bytea primary key,
    erased_at timestamptz not null
);

create function sync.phone_digest(number text) returns bytea
language sql
stable
as $$ select sha256(phone_key || convert_to(number, 'UTF8')) from sync.privacy $$;

-- Calling codes begin with what no longer one begins with: ITU-T E.164.
create function sync.national_digits(number text) returns text
language sql
immutable
as $$
    select ltrim(
        regexp_replace(
            regexp_replace(
                number, '^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})', ''
            ),
            '[^0-9]', '', 'g'
        ),
        '0'
    )
$$;

create function sync.phone_spellings(country text, number text) returns text[]
language sql
immutable
as $$ select array[number, upper(trim(country)) || ' ' || sync.national_digits(number)] $$;

create function sync.is_erased_phone(country text, number text) returns boolean
language sql
stable
as $$
    select
        exists (
            select
            from sync.erased_phones
            where digest in (
                select sync.phone_digest(spelled) from unnest(sync.phone_spellings(country, number)) as spelled
            )
        )
        -- Erased as a counterpart, before anybody knew the number.
        or exists (
            select
            from warehouse.authorization_requests as request
            inner join sync.erased_entities as erased on erased.entity_id::text = request.counterpart_id
            where request.phone_number = number
        )
$$;

-- As before, and: an erased request may lose what was asked; a reference holds no part of the number.
create or replace function warehouse.guard_authorization_request() returns trigger
language plpgsql
as $$
declare
    erased constant boolean := new.phone_number = '' and new.description = '';
begin
    if (tg_op = 'INSERT' or new.reference is distinct from old.reference)
        and length(sync.national_digits(new.phone_number)) > 1
        and position(
            sync.national_digits(new.phone_number) in translate(new.reference, ' ().-/' || chr(160), '')
        ) > 0
    then
        raise exception 'the reference holds the phone number: choose another'
            using errcode = 'check_violation';
    end if;
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
        and not erased
        -- A number written before numbers were held in E.164 is rewritten once.
        or old.state in ('sending', 'sent', 'unknown', 'linked')
        and new.phone_number <> old.phone_number
        and not (old.phone_number not like '+%' and new.phone_number like '+%')
        and not erased
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
end
$$;
