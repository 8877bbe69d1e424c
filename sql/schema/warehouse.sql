-- The mirrored activities, normalized; and the people who are to be asked. Nothing refers to analytics.codes: every
-- enumeration of the service is open.

-- Counterparts -------------------------------------------------------------------------------------------------

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
create index entities_altered on warehouse.entities (id) where digest = '';
create index entities_unregistered on warehouse.entities (id) where unregistered;
create index entities_times on warehouse.entities using brin (observed_at) with (autosummarize = on);
create trigger keep_unregistered_at before insert or update on warehouse.entities
for each row execute function warehouse.keep_unregistered_at();
create trigger keep_score_of_new after insert on warehouse.entities
referencing new table as written for each statement execute function warehouse.keep_score();
create trigger keep_score_of_changed after update on warehouse.entities
referencing new table as written for each statement execute function warehouse.keep_score();
-- Its registration ends what can be read in all its activities.
create trigger queue_registration after update on warehouse.entities
for each row when (
    (old.unregistered, old.unregistered_at) is distinct from (new.unregistered, new.unregistered_at)
)
execute function sync.queue_entity();

create table warehouse.entity_social_media (
    entity_id uuid not null references warehouse.entities (id) on delete cascade,
    position integer not null,
    media text,
    url text,
    primary key (entity_id, position)
);

create table warehouse.entity_scores (
    entity_id uuid not null references warehouse.entities (id) on delete cascade,
    observed_at timestamptz not null,
    score numeric,
    scoring_level text,
    primary key (entity_id, observed_at)
);

-- Activities ---------------------------------------------------------------------------------------------------

create table warehouse.activities (
    -- An activity without its row in the ledger would be nobody's.
    id uuid primary key constraint activities_in_ledger
        references sync.activity_ledger (activity_id) on delete cascade,
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
-- Analysts filter the facts of analytics, which have indexes of their own. Here each index costs every load.
create index activities_entity_id on warehouse.activities (entity_id);
create index activities_details_fetched_at on warehouse.activities (details_fetched_at);
-- What the clock ends is found among what is not erased yet.
create index activities_to_erase on warehouse.activities (expires_at)
where values_erased_at is null and expires_at is not null;
create index activities_expired_to_erase on warehouse.activities (id)
where values_erased_at is null and status = 'EXPIRED';
create index activities_to_empty on warehouse.activities (created_at) where personal_erased_at is null;

-- Their children are written with them: triggers on these would cost each load much more.
create trigger queue_new after insert on warehouse.activities
referencing new table as written for each statement execute function sync.queue_activities();
create trigger queue_changed after update on warehouse.activities
referencing old table as replaced new table as written for each statement
execute function sync.queue_activities();
create trigger queue_removed after delete on warehouse.activities
referencing old table as replaced for each statement execute function sync.queue_activities();
create trigger queue_emptied after truncate on warehouse.activities
for each statement execute function sync.queue_everything();

create table warehouse.requirements (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    disposition text not null check (disposition in ('requested', 'accepted', 'declined')),
    position integer not null,
    code text,
    type text,
    category text,
    value jsonb,
    primary key (activity_id, disposition, position)
);
alter table warehouse.requirements alter column value set statistics 0;

create table warehouse.requirement_items (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    disposition text not null check (disposition in ('requested', 'declined')),
    requirement_position integer not null,
    position integer not null,
    code text,
    primary key (activity_id, disposition, requirement_position, position)
);

create table warehouse.accepted_items (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    requirement_position integer not null,
    position integer not null,
    requirement_code text,
    code text,
    type text,
    value jsonb,
    primary key (activity_id, requirement_position, position)
);
alter table warehouse.accepted_items alter column value set statistics 0;

create table warehouse.timeline_events (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    position integer not null,
    status text,
    date_time timestamptz,
    message text,
    http_request_id text,
    primary key (activity_id, position)
);

-- Decisions that answers showed once, and later ones no longer do.
create table warehouse.kept_decisions (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    position integer not null,
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
-- They change with their activity, or alone, where landing is mapped again.
create trigger queue_new after insert on warehouse.kept_decisions
referencing new table as touched for each statement execute function sync.queue_kept_decisions();
create trigger queue_changed after update on warehouse.kept_decisions
referencing new table as touched for each statement execute function sync.queue_kept_decisions();
create trigger queue_removed after delete on warehouse.kept_decisions
referencing old table as touched for each statement execute function sync.queue_kept_decisions();

-- Whoever writes rows outside of a run marks their activities, in the same transaction.
select
    sync.watch('warehouse.entities', 'id', 'sync.mark_altered_entities'),
    sync.watch('warehouse.entity_social_media', 'entity_id', 'sync.mark_altered_entities'),
    sync.watch('warehouse.entity_scores', 'entity_id', 'sync.mark_altered_entities'),
    sync.watch('warehouse.activities', 'id', 'sync.mark_altered'),
    sync.watch('warehouse.requirements', 'activity_id', 'sync.mark_altered'),
    sync.watch('warehouse.requirement_items', 'activity_id', 'sync.mark_altered'),
    sync.watch('warehouse.accepted_items', 'activity_id', 'sync.mark_altered'),
    sync.watch('warehouse.timeline_events', 'activity_id', 'sync.mark_altered'),
    sync.watch('warehouse.kept_decisions', 'activity_id', 'sync.mark_altered');

-- People to ask ------------------------------------------------------------------------------------------------

-- The outbox of authorizations to create. Other systems write to it by plain INSERT of the business columns.
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
    -- The person behind a number.
    subscriber text,
    -- Calls by which the service created two activities.
    more_activity_ids uuid[] not null default '{}',
    constraint authorization_requests_linked check ((state = 'linked') = (activity_id is not null)),
    constraint authorization_requests_sent check (
        case
            when state = 'queued' then sent_at is null
            when state = 'failed' then true
            else sent_at is not null
        end
    ),
    constraint authorization_requests_more check (state = 'linked' or more_activity_ids = '{}')
);
create unique index authorization_requests_digest on warehouse.authorization_requests (digest)
where reference is null;
create index authorization_requests_waiting on warehouse.authorization_requests (requested_at, id)
where state = 'queued';
create index authorization_requests_open on warehouse.authorization_requests (sent_at)
where state in ('sending', 'sent', 'unknown');
create index authorization_requests_sent_at on warehouse.authorization_requests (sent_at);
-- Whether a person was asked before, and whose the number is.
create index authorization_requests_subscriber on warehouse.authorization_requests (coalesce(subscriber, phone_number));
create index authorization_requests_more on warehouse.authorization_requests (id) where more_activity_ids <> '{}';

create trigger guard before insert or update on warehouse.authorization_requests
for each row execute function warehouse.guard_authorization_request();
-- A request whose call may have had an effect is not deleted: the same file again would ask its person twice.
create trigger keep_sent before delete on warehouse.authorization_requests
for each row when (old.sent_at is not null) execute function warehouse.keep_authorization_requests();
create trigger keep_all before truncate on warehouse.authorization_requests
for each statement execute function warehouse.keep_authorization_requests();
