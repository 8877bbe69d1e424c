-- All state of the pipeline. Each row commits in the same transaction as the data that it describes, so a process
-- that dies at any instant leaves nothing for anybody to repair.

-- What runs did ------------------------------------------------------------------------------------------------

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
create index runs_started_at on sync.runs (started_at desc);
create index runs_running on sync.runs (run_id) where status = 'running';

create table sync.run_changes (
    run_id text not null references sync.runs (run_id) on delete cascade,
    activity_id text not null,
    change text not null,
    fields text[],
    recorded_at timestamptz not null,
    primary key (run_id, activity_id, change)
);
create index run_changes_gone on sync.run_changes (activity_id, recorded_at)
where change in ('gone', 'returned');

-- The nightly sample.
create table sync.verifications (
    run_id text primary key references sync.runs (run_id) on delete cascade,
    sampled bigint not null,
    compared bigint not null,
    stale bigint not null,
    refused bigint not null,
    failed bigint not null,
    finished_at timestamptz not null,
    stale_upper_bound double precision
);
create index verifications_finished_at on sync.verifications (finished_at desc);

-- What is known of each activity and of each day ---------------------------------------------------------------

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
    -- A check, since the load stages rows without it: temporary copies of the table would keep a `not null`.
    altered boolean default false check (altered is not null),
    not_yet_at timestamptz,
    discrepancy text,
    doubted bytea,
    discrepancy_since timestamptz,
    discrepancy_settled_at timestamptz,
    spelling text,
    unsettled boolean generated always as (
        altered
        or gone_at is not null
        or unlisted_at is not null
        or not_yet_at is not null
        or (settled = listed) is not true
        or not final
        or deadline_at is not null
        or discrepancy is not null
    ) stored
);
create index activity_ledger_day on sync.activity_ledger (day);
create index activity_ledger_open on sync.activity_ledger (day, service_time) where not final and gone_at is null;
-- The others are nearly all in a warehouse of years: coverage counts them by the index of days alone.
create index activity_ledger_unsettled on sync.activity_ledger (day) where unsettled;
create index activity_ledger_altered on sync.activity_ledger (activity_id) where altered;
create index activity_ledger_discrepancy on sync.activity_ledger (discrepancy_settled_at)
where discrepancy is not null;
create index activity_ledger_times on sync.activity_ledger
using brin (listed_at, checked_at, unlisted_at, service_time, mapping_version) with (autosummarize = on);

-- Runs set sync.loading. Whoever else removes rows gets them back, as altered.
create trigger kept_by_delete after delete on sync.activity_ledger
referencing old table as before for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.keep_ledger();
create trigger kept_by_truncate after truncate on sync.activity_ledger
for each statement
when (coalesce(current_setting('sync.loading', true), '') <> 'on')
execute function sync.keep_ledger();

-- The verdicts of the walks.
create table sync.days (
    day date primary key,
    listed bigint not null,
    proven_at timestamptz,
    unproven text,
    run_id text
);

create view sync.coverage as
select * from sync.coverage_of('-infinity', 'infinity');

create view sync.todo as
select activity_id, day, reason
from sync.todo_of('-infinity', 'infinity', now(), now() - interval '7 days');

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
    -- What a person has accepted is shown, and no longer alarms.
    accepted_at timestamptz,
    accepted_by text,
    accepted_because text
);
create unique index quarantine_open on sync.quarantine (source, subject) where resolved_at is null;
create index quarantine_open_day on sync.quarantine (day) where resolved_at is null;
create index quarantine_activity on sync.quarantine (activity_id);
alter table sync.quarantine alter column payload set statistics 0;

-- What is known of the service ---------------------------------------------------------------------------------

create table sync.service_facts (
    fact text primary key,
    value text not null,
    learned_at timestamptz not null,
    previous_value text,
    changed_at timestamptz
);
-- The zone cuts the days of stored views.
create trigger queue_new_zone after insert on sync.service_facts
for each row when (new.fact = 'configured_zone') execute function sync.queue_everything();
create trigger queue_changed_zone after update on sync.service_facts
for each row when (
    (old.fact, old.value) is distinct from (new.fact, new.value)
    and 'configured_zone' in (old.fact, new.fact)
)
execute function sync.queue_everything();
create trigger queue_removed_zone after delete on sync.service_facts
for each row when (old.fact = 'configured_zone') execute function sync.queue_everything();
create trigger queue_emptied after truncate on sync.service_facts
for each statement execute function sync.queue_everything();

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

create table sync.unknown_values (
    kind text not null,
    value text not null,
    sample_activity_id uuid,
    first_seen_at timestamptz not null,
    primary key (kind, value)
);

create table sync.habits (
    discrepancy text primary key,
    suspected_at timestamptz not null,
    confirmed_at timestamptz
);

-- What may be seen and kept of shared values and personal data, and what was erased ----------------------------

create table sync.privacy (
    applied boolean primary key default true check (applied),
    expired_values text not null default 'hide' check (expired_values in ('hide', 'erase', 'keep')),
    set_at timestamptz not null default now(),
    -- There are few telephone numbers: without the key, whoever has a digest could try them all.
    phone_key bytea not null default decode(
        replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'
    )
);
insert into sync.privacy default values;

create table sync.erasures (
    activity_id uuid not null,
    reason text not null check (reason in ('expired', 'unregistered', 'request', 'messages', 'retention')),
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

-- Views and grants ---------------------------------------------------------------------------------------------

create table sync.fact_changes (
    activity_id uuid primary key,
    changed_at timestamptz not null
);

create table sync.view_versions (
    name text primary key,
    digest text not null,
    applied_at timestamptz not null default now(),
    refreshed_at timestamptz
);

-- What changed since stored views were refreshed: written by triggers, in the transaction that makes the change.
create table sync.refresh_queue (
    activity_id uuid,
    entity_id uuid,
    -- A publication of all tables refuses to delete from one without a key.
    id bigint generated always as identity primary key
);

create table sync.grant_versions (
    applied boolean primary key default true check (applied),
    digest text not null,
    applied_at timestamptz not null default now()
);
