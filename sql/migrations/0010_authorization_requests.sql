-- depends: 0006_verifications
-- The outbox of Authorizations to be created. Other systems write to it by plain INSERT of the business columns.

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
    constraint authorization_requests_linked check ((state = 'linked') = (activity_id is not null)),
    constraint authorization_requests_sent check (
        case
            when state = 'queued' then sent_at is null
            when state = 'failed' then true
            else sent_at is not null
        end
    )
);
create unique index authorization_requests_digest on warehouse.authorization_requests (digest) where reference is null;
create index authorization_requests_waiting on warehouse.authorization_requests (requested_at, id) where state = 'queued';
create index authorization_requests_open on warehouse.authorization_requests (sent_at) where state in ('sending', 'sent', 'unknown');
create index authorization_requests_sent_at on warehouse.authorization_requests (sent_at);
comment on table warehouse.authorization_requests is
    'Outbox of Authorizations to create (specification 4.2), each sent once: description, phone and requirements are enough to INSERT. Personal.';
comment on column warehouse.authorization_requests.id is 'Number of the request; ours, the service never sees it.';
comment on column warehouse.authorization_requests.reference is 'The writer''s own name of the request. Unique: whoever writes twice with the same reference asks once.';
comment on column warehouse.authorization_requests.description is 'Message delivered to the receiver (description). Personal.';
comment on column warehouse.authorization_requests.phone_country_code is 'Two-letter country of the receiver''s phone number (phone.phone_country_code).';
comment on column warehouse.authorization_requests.phone_number is 'The receiver''s phone number, digits (phone.phone_number). Personal.';
comment on column warehouse.authorization_requests.validity_time_unit is 'Unit of validity_amount, such as HOURS (validity_threshold.time_unit); null: the service''s own period.';
comment on column warehouse.authorization_requests.validity_amount is 'How long the receiver may answer, in that unit (validity_threshold.amount).';
comment on column warehouse.authorization_requests.requirements is 'What is asked for, as the service takes it (requirements): [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}].';
comment on column warehouse.authorization_requests.state is
    'queued: to be sent. sending: the call is under way, or its process died. sent: created (201). linked: the created activity is found. rejected: 400. unknown: not known whether it was created. failed: not sent, or surely without effect, and not tried again.';
comment on column warehouse.authorization_requests.state_reason is 'Why it is in this state, with the body of a 400 (its phone number masked). May be personal.';
comment on column warehouse.authorization_requests.requested_at is 'When it was written here.';
comment on column warehouse.authorization_requests.sent_at is 'When its last call began, by the service''s clock; null: not called, or that call surely had no effect.';
comment on column warehouse.authorization_requests.answered_at is 'When that call was answered or given up, or its process found dead, by the service''s clock.';
comment on column warehouse.authorization_requests.activity_id is 'The activity it created: warehouse.activities.id, which a later sync may bring.';
comment on column warehouse.authorization_requests.attempts is 'How many calls were begun.';
comment on column warehouse.authorization_requests.candidates is 'Activities that may be the one it created, when that is not sure: [{"activity_id", "created_at", "status", "likeness"}].';
comment on column warehouse.authorization_requests.next_look_at is 'When a run looks for its activity again; null: nothing to look for, or a person decides (pipeline authorize resolve).';
comment on column warehouse.authorization_requests.source is 'Name of the file it came from; null: written by SQL.';
comment on column warehouse.authorization_requests.digest is 'Digest of its content, from a file''s line without reference: the same line again asks nothing again.';

create function warehouse.guard_authorization_request() returns trigger
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
        ('sending', 'queued'), ('sending', 'sent'), ('sending', 'rejected'), ('sending', 'failed'), ('sending', 'unknown'),
        ('sent', 'linked'),
        ('unknown', 'linked'), ('unknown', 'queued'), ('unknown', 'failed'),
        ('rejected', 'queued'), ('failed', 'queued')
    ) then
        raise exception 'an authorization request does not go from % to %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state in ('sending', 'sent', 'unknown', 'linked')
        and (
            new.description, new.phone_country_code, new.phone_number,
            new.validity_time_unit, new.validity_amount, new.requirements
        ) is distinct from (
            old.description, old.phone_country_code, old.phone_number,
            old.validity_time_unit, old.validity_amount, old.requirements
        )
    then
        raise exception 'an authorization request is not changed once it may have been sent'
            using errcode = 'check_violation';
    end if;
    return new;
end
$$;
comment on function warehouse.guard_authorization_request is
    'Lets a request go only from one state to those that may follow it, and keeps what was asked as it was sent.';
create trigger guard
before insert or update on warehouse.authorization_requests
for each row execute function warehouse.guard_authorization_request();
