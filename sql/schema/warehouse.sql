-- What the service says of activities and counterparts, and whom we ask for data.

create schema warehouse;

create table warehouse.entities (
    id uuid primary key,
    name text,
    cifcode uuid,
    type text,
    avatar text,
    score numeric,
    scoring_level text,
    unregistered boolean,
    created_at timestamptz,
    digest bytea not null,
    observed_at timestamptz not null,
    unregistered_at timestamptz
);
create index entities_times on warehouse.entities using brin (observed_at) with (autosummarize = on);
create index entities_unregistered on warehouse.entities (id) where unregistered;

create table warehouse.entity_social_media (
    entity_id uuid references warehouse.entities (id) on delete cascade,
    position integer,
    media text,
    url text,
    primary key (entity_id, position)
);

create table warehouse.entity_scores (
    entity_id uuid references warehouse.entities (id) on delete cascade,
    observed_at timestamptz,
    score numeric,
    scoring_level text,
    primary key (entity_id, observed_at)
);

create table warehouse.activities (
    id uuid primary key
        constraint activities_in_ledger references sync.activity_ledger (activity_id) on delete cascade,
    type text,
    type_name text,
    in_out_bound text,
    entity_id uuid references warehouse.entities (id),
    description text,
    status text,
    notification_message text,
    time_zone text,
    valid_until timestamptz,
    attended_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    expires_in_time_unit text,
    expires_in_amount numeric,
    first_seen_at timestamptz not null,
    details_fetched_at timestamptz,
    gone_at timestamptz,
    values_erased_at timestamptz,
    personal_erased_at timestamptz
);
create index activities_details_fetched_at on warehouse.activities (details_fetched_at);
create index activities_entity_id on warehouse.activities (entity_id);
create index activities_expired_to_erase on warehouse.activities (id)
where values_erased_at is null and status = 'EXPIRED';
create index activities_to_empty on warehouse.activities (created_at) where personal_erased_at is null;
create index activities_to_erase on warehouse.activities (expires_at)
where values_erased_at is null and expires_at is not null;

create table warehouse.requirements (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    disposition text check (disposition in ('requested', 'accepted', 'declined')),
    position integer,
    code text,
    type text,
    category text,
    value jsonb,
    primary key (activity_id, disposition, position)
);
-- The planner's statistics would be one more copy of the values.
alter table warehouse.requirements alter column value set statistics 0;

create table warehouse.requirement_items (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    disposition text check (disposition in ('requested', 'declined')),
    requirement_position integer,
    position integer,
    code text,
    primary key (activity_id, disposition, requirement_position, position)
);

create table warehouse.accepted_items (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    requirement_position integer,
    position integer,
    requirement_code text,
    code text,
    type text,
    value jsonb,
    primary key (activity_id, requirement_position, position)
);
alter table warehouse.accepted_items alter column value set statistics 0;

create table warehouse.timeline_events (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    position integer,
    status text,
    date_time timestamptz,
    message text,
    http_request_id text,
    primary key (activity_id, position)
);

-- Decisions that answers showed once, and later ones no longer do.
create table warehouse.kept_decisions (
    activity_id uuid references warehouse.activities (id) on delete cascade,
    position integer,
    requirement_code text,
    requirement_occurrence integer not null,
    item_code text,
    item_occurrence integer,
    decision text not null check (decision in ('accepted', 'declined')),
    decided_by text,
    type text,
    category text,
    asked boolean not null,
    shown_from timestamptz not null,
    shown_until timestamptz not null,
    primary key (activity_id, position)
);

create table warehouse.authorization_requests (
    id uuid primary key default gen_random_uuid(),
    reference text unique,
    description text not null,
    phone_country_code text not null,
    phone_number text not null,
    validity_time_unit text,
    validity_amount numeric,
    requirements jsonb not null default '[]',
    state text not null default 'queued' check (
        state in ('queued', 'sending', 'sent', 'linked', 'rejected', 'unknown', 'failed')
    ),
    state_reason text,
    requested_at timestamptz not null default now(),
    sent_at timestamptz,
    answered_at timestamptz,
    activity_id uuid unique,
    attempts integer not null default 0,
    candidates jsonb not null default '[]',
    next_look_at timestamptz,
    source text,
    digest bytea,
    counterpart_id text,
    resolved_from text check (resolved_from in ('sent', 'unknown')),
    message_reference text unique,
    constraint authorization_requests_linked check ((state = 'linked') = (activity_id is not null)),
    constraint authorization_requests_sent check (
        case when state = 'queued' then sent_at is null when state = 'failed' then true else sent_at is not null end
    )
);
create unique index authorization_requests_digest on warehouse.authorization_requests (digest)
where reference is null;
create index authorization_requests_number on warehouse.authorization_requests (phone_number);
create index authorization_requests_open on warehouse.authorization_requests (sent_at)
where state in ('sending', 'sent', 'unknown');
create index authorization_requests_sent_at on warehouse.authorization_requests (sent_at);
create index authorization_requests_waiting on warehouse.authorization_requests (requested_at, id)
where state = 'queued';

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

create function warehouse.keep_score() returns trigger
language plpgsql
as $$
begin
    insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
    select written.id, written.observed_at, written.score, written.scoring_level
    from written
    left join lateral (
        select kept.score, kept.scoring_level
        from warehouse.entity_scores as kept
        where kept.entity_id = written.id
        order by kept.observed_at desc
        limit 1
    ) as latest on true
    where (written.score, written.scoring_level)
        is distinct from (latest.score, latest.scoring_level)
    on conflict (entity_id, observed_at) do update set
        score = excluded.score,
        scoring_level = excluded.scoring_level;
    return null;
end
$$;

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
            and (
                request.state in ('queued', 'sending')
                or greatest(request.requested_at, request.sent_at) > now() - within_days * interval '1 day'
            )
    )
$$;

create function warehouse.guard_authorization_request() returns trigger
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
        and (tg_op = 'INSERT' or new.phone_number <> old.phone_number)
    then
        if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
            raise exception 'authorization requests are not written in a % transaction: it does not see who was asked',
                current_setting('transaction_isolation');
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

create trigger guard before insert or update on warehouse.authorization_requests
for each row
execute function warehouse.guard_authorization_request();

create trigger keep_all before truncate on warehouse.authorization_requests
for each statement
execute function warehouse.keep_authorization_requests();

create trigger keep_score_of_changed after update on warehouse.entities
referencing new table as written for each statement
execute function warehouse.keep_score();

create trigger keep_score_of_new after insert on warehouse.entities
referencing new table as written for each statement
execute function warehouse.keep_score();

create trigger keep_sent before delete on warehouse.authorization_requests
for each row
when (old.sent_at is not null)
execute function warehouse.keep_authorization_requests();

create trigger keep_unregistered_at before insert or update on warehouse.entities
for each row
execute function warehouse.keep_unregistered_at();
