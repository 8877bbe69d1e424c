-- What we know: the ledger of activities, days, runs, what can't be stored, what was erased.
-- sync.schema_migrations is made by sql/catalog/record.sql.

create table sync.service_facts (
    fact text primary key,
    value text not null,
    learned_at timestamptz not null,
    previous_value text,
    changed_at timestamptz
);

-- Days are cut in one zone everywhere.
create view sync.calendar as
select
    fact.time_zone,
    (now() at time zone fact.time_zone)::date as today,
    fact.start_date
from (
    select
        coalesce(max(value) filter (where fact = 'configured_zone'), 'UTC') as time_zone,
        max(value) filter (where fact = 'start_date')::date as start_date
    from sync.service_facts
) as fact;

create table sync.activity_ledger (
    activity_id uuid primary key,
    day date,
    listed bytea,
    listed_at timestamptz,
    settled bytea,
    details bytea,
    mapping_version smallint,
    checked_at timestamptz,
    service_time timestamptz,
    final boolean not null default false,
    deadline_at timestamptz,
    unlisted_at timestamptz,
    gone_at timestamptz,
    withheld_at timestamptz,
    -- A check, since temporary copies of the table would keep a `not null`.
    altered boolean default false check (altered is not null),
    not_yet_at timestamptz,
    discrepancy text,
    doubted bytea,
    discrepancy_since timestamptz,
    discrepancy_settled_at timestamptz
);
create index activity_ledger_altered on sync.activity_ledger (activity_id) where altered;
create index activity_ledger_day on sync.activity_ledger (day);
create index activity_ledger_discrepancy on sync.activity_ledger (discrepancy_settled_at)
where discrepancy is not null;
create index activity_ledger_open on sync.activity_ledger (day, service_time) where not final and gone_at is null;
create index activity_ledger_times on sync.activity_ledger using brin (listed_at, checked_at, unlisted_at, service_time)
with (autosummarize = on);

create table sync.days (
    day date primary key,
    listed bigint not null,
    proven_at timestamptz,
    unproven text,
    run_id text
);

create table sync.quarantine (
    id bigint generated always as identity primary key,
    activity_id text,
    source text not null check (source in ('list', 'details')),
    subject text not null,
    day date,
    reason text not null,
    payload bytea,
    attempts integer not null default 1,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    next_attempt_at timestamptz not null,
    resolved_at timestamptz,
    accepted_at timestamptz,
    accepted_by text,
    accepted_because text
);
alter table sync.quarantine alter column payload set statistics 0;
create index quarantine_activity on sync.quarantine (activity_id);
create unique index quarantine_open on sync.quarantine (source, subject) where resolved_at is null;
create index quarantine_open_day on sync.quarantine (day) where resolved_at is null;

create table sync.habits (
    discrepancy text primary key,
    suspected_at timestamptz not null,
    confirmed_at timestamptz
);

create table sync.runs (
    run_id text primary key,
    kind text not null,
    window_from date,
    window_to date,
    started_at timestamptz not null,
    finished_at timestamptz,
    status text not null default 'running',
    error text,
    listed bigint not null default 0,
    new bigint not null default 0,
    changed bigint not null default 0,
    unchanged bigint not null default 0,
    gone bigint not null default 0,
    quarantined bigint not null default 0,
    requests bigint not null default 0,
    retries bigint not null default 0,
    logins bigint not null default 0,
    bytes_received bigint not null default 0,
    healed bigint not null default 0,
    erased bigint not null default 0,
    pruned bigint not null default 0,
    package_version text,
    schema_version text
);
create index runs_running on sync.runs (run_id) where status = 'running';
create index runs_started_at on sync.runs (started_at desc);

create table sync.run_changes (
    run_id text references sync.runs (run_id) on delete cascade,
    activity_id text,
    change text,
    fields text[],
    recorded_at timestamptz not null,
    primary key (run_id, activity_id, change)
);
create index run_changes_gone on sync.run_changes (activity_id, recorded_at) where change in ('gone', 'returned');

create table sync.verifications (
    run_id text primary key references sync.runs (run_id) on delete cascade,
    sampled bigint not null,
    compared bigint not null,
    stale bigint not null,
    refused bigint not null,
    failed bigint not null,
    share_low double precision not null,
    share_high double precision not null,
    finished_at timestamptz not null,
    stale_upper_bound double precision
);
create index verifications_finished_at on sync.verifications (finished_at desc);

create table sync.unknown_values (
    kind text,
    value text,
    sample_activity_id uuid,
    first_seen_at timestamptz not null,
    primary key (kind, value)
);

create table sync.erasures (
    activity_id uuid,
    reason text check (reason in ('expired', 'unregistered', 'request', 'messages', 'retention')),
    erased_at timestamptz not null,
    "values" bigint not null,
    responses bigint not null,
    payloads bigint not null,
    primary key (activity_id, reason)
);

create table sync.erased_entities (
    entity_id uuid primary key,
    erased_at timestamptz not null,
    messages boolean not null default false
);

create table sync.erased_phones (
    digest bytea primary key,
    erased_at timestamptz not null
);

create table sync.privacy (
    applied boolean primary key default true check (applied),
    expired_values text not null default 'hide' check (expired_values in ('hide', 'erase', 'keep')),
    set_at timestamptz not null default now(),
    phone_key bytea not null default decode(
        replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'
    )
);

create table sync.refresh_queue (
    activity_id uuid,
    entity_id uuid
);

create table sync.view_versions (
    name text primary key,
    digest text not null,
    applied_at timestamptz not null default now(),
    refreshed_at timestamptz
);

create table sync.grant_versions (
    applied boolean primary key default true check (applied),
    digest text not null,
    applied_at timestamptz not null default now()
);

insert into sync.privacy default values;

-- Numbers of erased people are known by a digest that nobody else can compute.
create function sync.phone_digest(number text) returns bytea
language sql
stable
as $$ select sha256(phone_key || convert_to(number, 'UTF8')) from sync.privacy $$;
