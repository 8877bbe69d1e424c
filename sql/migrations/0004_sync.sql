-- depends: 0003_landing
-- All state of the pipeline. Each row commits in the same transaction as the data it describes,
-- so a process that dies at any instant leaves nothing for anybody to repair.

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
    bytes_received bigint not null default 0
);
create index runs_started_at on sync.runs (started_at desc);
comment on table sync.runs is 'One row per part of a run: the asked days, or the due work of older days.';
comment on column sync.runs.run_id is 'Dagster''s run id, with /open behind it for the due work of older days.';
comment on column sync.runs.kind is 'days (a range of days was asked for), open (due work of older days), verify, or reparse.';
comment on column sync.runs.window_from is 'First day asked for, in the configured time zone.';
comment on column sync.runs.window_to is 'Last day asked for, included.';
comment on column sync.runs.started_at is 'When it began.';
comment on column sync.runs.finished_at is 'When it ended; null: still running, or killed.';
comment on column sync.runs.status is 'running; complete; incomplete (something is quarantined or unverified, and named); failed.';
comment on column sync.runs.error is 'Why it failed or is incomplete, in one line.';
comment on column sync.runs.listed is 'Distinct activities that the walked days listed.';
comment on column sync.runs.new is 'Activities loaded for the first time.';
comment on column sync.runs.changed is 'Activities whose stored details changed.';
comment on column sync.runs.unchanged is 'Activities found as stored: by their list row, or by their details.';
comment on column sync.runs.gone is 'Activities newly found to be offered no more.';
comment on column sync.runs.quarantined is 'Activities this run put, or left, in quarantine.';
comment on column sync.runs.requests is 'Requests sent for lists and details, each attempt counted.';
comment on column sync.runs.retries is 'Attempts after the first.';
comment on column sync.runs.logins is 'Session tokens obtained.';
comment on column sync.runs.bytes_received is 'Bytes of the answers'' bodies.';

create table sync.run_changes (
    run_id text not null references sync.runs (run_id) on delete cascade,
    activity_id text not null,
    change text not null,
    fields text[],
    recorded_at timestamptz not null,
    primary key (run_id, activity_id, change)
);
comment on table sync.run_changes is 'What each run did to which activity.';
comment on column sync.run_changes.run_id is 'The run.';
comment on column sync.run_changes.activity_id is 'The activity, as the service names it.';
comment on column sync.run_changes.change is 'new, changed, gone, returned, quarantined or resolved.';
comment on column sync.run_changes.fields is 'For changed: names of the details'' top-level fields that differ; no values.';
comment on column sync.run_changes.recorded_at is 'When.';

create table sync.activity_ledger (
    activity_id uuid primary key,
    day date,
    list_digest bytea,
    fingerprint bytea,
    listed_at timestamptz,
    details_fingerprint bytea,
    details_digest bytea,
    mapping_version smallint,
    checked_at timestamptz,
    service_time timestamptz,
    final boolean not null default false,
    deadline_at timestamptz,
    unlisted_at timestamptz,
    gone_at timestamptz
);
create index activity_ledger_day on sync.activity_ledger (day) include (unlisted_at, gone_at, details_digest);
create index activity_ledger_open on sync.activity_ledger (day, service_time) where not final and gone_at is null;
create index activity_ledger_deadline on sync.activity_ledger (deadline_at) where deadline_at is not null and gone_at is null;
create index activity_ledger_unlisted on sync.activity_ledger (unlisted_at) where unlisted_at is not null and gone_at is null;
comment on table sync.activity_ledger is
    'What is known of each activity: the resume point. A row commits with the activity''s own rows.';
comment on column sync.activity_ledger.activity_id is 'The activity.';
comment on column sync.activity_ledger.day is 'Day of its creation in the configured time zone: its partition.';
comment on column sync.activity_ledger.list_digest is 'BLAKE2b-128 of its newest list row, bytes as received.';
comment on column sync.activity_ledger.fingerprint is 'Digest of that list row without the nested entity, field order put aside.';
comment on column sync.activity_ledger.listed_at is 'When a list row in that form was last received together with news: older list rows change nothing any more.';
comment on column sync.activity_ledger.details_fingerprint is 'The fingerprint for which the stored details were fetched; another one listed means: fetch again.';
comment on column sync.activity_ledger.details_digest is 'BLAKE2b-128 of the stored details response; null: details not yet had.';
comment on column sync.activity_ledger.mapping_version is 'Version of the mapping from details to tables that wrote the rows.';
comment on column sync.activity_ledger.checked_at is 'When details were last received, changed or not.';
comment on column sync.activity_ledger.service_time is 'What the service''s own clock said at checked_at; its deadlines are judged by that clock.';
comment on column sync.activity_ledger.final is 'Whether the status ends the process, so that only a list change, a deadline or --full asks again.';
comment on column sync.activity_ledger.deadline_at is 'First of valid_until and expires_at after service_time: the moment the details become due.';
comment on column sync.activity_ledger.unlisted_at is 'When a verified walk of its day first no longer listed it; null: listed.';
comment on column sync.activity_ledger.gone_at is 'When a details request for an unlisted activity was answered 403 or 404.';

create table sync.coverage (
    day date primary key,
    listed bigint not null,
    stored bigint not null,
    quarantined bigint not null,
    gone bigint not null,
    verified_at timestamptz,
    unverified text,
    listed_digest bytea not null,
    run_id text
);
comment on table sync.coverage is
    'Per day what the service lists and what is stored. A day is complete when it is verified and listed = stored + quarantined.';
comment on column sync.coverage.day is 'Day of the activities'' creation, in the configured time zone.';
comment on column sync.coverage.listed is 'Distinct activities that the last walk of the day listed.';
comment on column sync.coverage.stored is 'Of these, stored with details that match the list and not in quarantine.';
comment on column sync.coverage.quarantined is 'Of these, in quarantine (sync.quarantine).';
comment on column sync.coverage.gone is 'Activities of the day that the service offers no more.';
comment on column sync.coverage.verified_at is 'When the day''s list was last verified; null: never. For every listed activity also when a list last carried it.';
comment on column sync.coverage.unverified is 'Why the last walk could not be verified; null: it was.';
comment on column sync.coverage.listed_digest is 'Digest of the sorted ids that the last walk listed.';
comment on column sync.coverage.run_id is 'The run that last walked the day.';

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
    resolved_at timestamptz
);
create unique index quarantine_open on sync.quarantine (source, subject) where resolved_at is null;
create index quarantine_open_day on sync.quarantine (day) where resolved_at is null;
create index quarantine_activity on sync.quarantine (activity_id);
comment on table sync.quarantine is 'Responses that could not be stored as specified, or not be had, each with the reason. Retried by later runs.';
comment on column sync.quarantine.id is 'Number of the entry.';
comment on column sync.quarantine.activity_id is 'The activity as the service names it; null when unknown.';
comment on column sync.quarantine.source is 'list or details: which response.';
comment on column sync.quarantine.subject is 'What one entry is about: the activity id, else the payload''s digest.';
comment on column sync.quarantine.day is 'Day the activity belongs to, as far as known, in the configured time zone.';
comment on column sync.quarantine.reason is 'What is wrong, without values.';
comment on column sync.quarantine.payload is 'The response as received; null when none was had. Personal.';
comment on column sync.quarantine.attempts is 'How often it was tried.';
comment on column sync.quarantine.first_seen_at is 'When it was first quarantined.';
comment on column sync.quarantine.last_seen_at is 'When it was last tried.';
comment on column sync.quarantine.next_attempt_at is 'From when on a run tries again.';
comment on column sync.quarantine.resolved_at is 'When a later attempt succeeded; null: open.';

create table sync.unknown_values (
    kind text not null,
    value text not null,
    sample_activity_id uuid,
    first_seen_at timestamptz not null,
    primary key (kind, value)
);
comment on table sync.unknown_values is 'First sight of codes that analytics.codes does not label, and of fields that the specification does not name.';
comment on column sync.unknown_values.kind is 'Which list of values, as in analytics.codes; or field.';
comment on column sync.unknown_values.value is 'The value as it came, or the field''s dotted name.';
comment on column sync.unknown_values.sample_activity_id is 'An activity that carries it.';
comment on column sync.unknown_values.first_seen_at is 'When it was first seen.';

create table sync.service_facts (
    fact text primary key,
    value text not null,
    learned_at timestamptz not null,
    previous_value text,
    changed_at timestamptz
);
comment on table sync.service_facts is 'What the service leaves undocumented and runs found out.';
comment on column sync.service_facts.fact is 'day_zone (in which zone from/to days are cut), to_day (whether to includes its day), page_size (largest page granted).';
comment on column sync.service_facts.value is 'What was found.';
comment on column sync.service_facts.learned_at is 'When it was last confirmed.';
comment on column sync.service_facts.previous_value is 'What was found before, when it changed.';
comment on column sync.service_facts.changed_at is 'When it changed.';

create table sync.view_versions (
    applied boolean primary key default true check (applied),
    digest text not null,
    applied_at timestamptz not null default now()
);
comment on table sync.view_versions is 'Which version of the files in sql/views the schema analytics was made from; one row.';
comment on column sync.view_versions.applied is 'Always true: there is one row.';
comment on column sync.view_versions.digest is 'Digest of the files.';
comment on column sync.view_versions.applied_at is 'When they were applied.';

create function sync.count_day(
    counted_day date, out stored bigint, out quarantined bigint, out gone bigint
)
language sql
stable
as $$
    select
        count(*) filter (
            where ledger.gone_at is null
                and ledger.unlisted_at is null
                and ledger.details_fingerprint = ledger.fingerprint
                and not exists (
                    select from sync.quarantine as entry
                    where entry.subject = ledger.activity_id::text and entry.resolved_at is null
                )
        ),
        (
            select count(distinct entry.subject)
            from sync.quarantine as entry
            where entry.day = counted_day
                and entry.resolved_at is null
                and not exists (
                    select from sync.activity_ledger as left_out
                    where left_out.activity_id::text = entry.subject
                        and left_out.day = counted_day
                        and left_out.unlisted_at is not null
                )
        ),
        count(*) filter (where ledger.gone_at is not null)
    from sync.activity_ledger as ledger
    where ledger.day = counted_day
$$;
comment on function sync.count_day is
    'Counts one day from the ledger: stored (listed, details match the list, not in quarantine), quarantined, gone.';
