-- depends: 0008a_activity_as_of
-- What may be seen and kept of shared values and personal data, and what was erased.

create table sync.privacy (
    applied boolean primary key default true check (applied),
    expired_values text not null default 'hide' check (expired_values in ('hide', 'erase', 'keep')),
    set_at timestamptz not null default now()
);
insert into sync.privacy default values;
comment on table sync.privacy is
    'What runs were told of shared values that are no longer shared (ACTIVITIES_EXPIRED_VALUES); one row. Views and loads obey it.';
comment on column sync.privacy.applied is 'Always true: there is one row.';
comment on column sync.privacy.expired_values is
    'hide: stored, but shown to nobody; erase: erased by the nightly run, and not stored again; keep: analyst_personal sees them.';
comment on column sync.privacy.set_at is 'When it was last changed.';

create table sync.erasures (
    activity_id uuid not null,
    reason text not null check (reason in ('expired', 'unregistered', 'request')),
    erased_at timestamptz not null,
    "values" bigint not null,
    responses bigint not null,
    payloads bigint not null,
    primary key (activity_id, reason)
);
comment on table sync.erasures is
    'Activities whose shared values were erased. What a later response says of these values is not stored any more.';
comment on column sync.erasures.activity_id is 'The activity.';
comment on column sync.erasures.reason is
    'expired: its sharing period was over; unregistered: its counterpart was; request: its counterpart asked (pipeline erase --entity).';
comment on column sync.erasures.erased_at is 'When that was last found and erased.';
comment on column sync.erasures."values" is 'Values erased from warehouse.requirements and warehouse.accepted_items, in all.';
comment on column sync.erasures.responses is 'Responses in landing out of which something was erased, in all.';
comment on column sync.erasures.payloads is 'Payloads in quarantine out of which something was erased, or which were removed, in all.';

create table sync.erased_entities (
    entity_id uuid primary key,
    erased_at timestamptz not null
);
comment on table sync.erased_entities is
    'Counterparts whose personal data were erased at their request. What later responses carry of these data is not stored.';
comment on column sync.erased_entities.entity_id is 'The counterpart, as in warehouse.entities.';
comment on column sync.erased_entities.erased_at is 'When it was last asked for.';

alter table warehouse.activities add column values_erased_at timestamptz;
create index activities_to_erase on warehouse.activities (expires_at)
    where values_erased_at is null and expires_at is not null;
create index activities_expired_to_erase on warehouse.activities (id)
    where values_erased_at is null and status = 'EXPIRED';
create index entities_unregistered on warehouse.entities (id) where unregistered;
comment on column warehouse.activities.values_erased_at is
    'Ours: when its shared values were erased (why: sync.erasures); null: they were not.';

comment on column landing.activity_details.digest is
    'BLAKE2b-128 of the body as received, also where something was erased out of it since.';
comment on column landing.activity_details.body is
    'The response''s bytes as received; where its values were erased, with null in their place. Personal.';
comment on column landing.activity_list_rows.digest is
    'BLAKE2b-128 of the body as received, also where something was erased out of it since.';
comment on column landing.activity_list_rows.body is
    'The element of the list''s data, its bytes as received; where its counterpart was erased, with null in place of personal fields. Personal.';
comment on column sync.quarantine.payload is
    'The response as received; null when none was had, or when it was erased. Personal.';

-- The planner's statistics would be one more copy of the values: none are kept. Setting a type again
-- forgets those that there are, without rewriting anything.
alter table warehouse.requirements alter column value set statistics 0, alter column value type jsonb;
alter table warehouse.accepted_items alter column value set statistics 0, alter column value type jsonb;
alter table sync.quarantine alter column payload set statistics 0, alter column payload type bytea;
alter table landing.activity_details alter column body set statistics 0;
alter table landing.activity_list_rows alter column body set statistics 0;

create table sync.grant_versions (
    applied boolean primary key default true check (applied),
    digest text not null,
    applied_at timestamptz not null default now()
);
comment on table sync.grant_versions is
    'Which version of sql/roles/grants.sql was applied, to which views and roles; one row, none while there are no roles.';
comment on column sync.grant_versions.applied is 'Always true: there is one row.';
comment on column sync.grant_versions.digest is 'Digest of the file, the views and the roles.';
comment on column sync.grant_versions.applied_at is 'When it was applied.';
