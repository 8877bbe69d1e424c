-- depends: 0001_schemas
-- The normalized tables. Children have no foreign key to codes: every enumeration is open.

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
    observed_at timestamptz not null
);
create index entities_cifcode on warehouse.entities (cifcode);
comment on table warehouse.entities is
    'Counterparts: individuals and businesses. The latest observation wins, whichever response carried it.';
comment on column warehouse.entities.id is 'Individual or business ID (entity.id).';
comment on column warehouse.entities.name is 'Display name (entity.name). Personal.';
comment on column warehouse.entities.cifcode is 'Profile ID (entity.cifcode).';
comment on column warehouse.entities.type is 'Kind of entity, for example INDIVIDUAL or BUSINESS (entity.type). Open list.';
comment on column warehouse.entities.avatar is 'Address of the avatar, a URL (entity.avatar). Personal.';
comment on column warehouse.entities.score is 'Score, usually 300 to 850 (entity.score).';
comment on column warehouse.entities.scoring_level is 'Level of the score, for example GOOD (entity.scoring_level). Open list.';
comment on column warehouse.entities.unregistered is 'Whether the entity is not (or no longer) registered (entity.unregistered).';
comment on column warehouse.entities.created_at is 'When the entity was created (entity.created_at, from epoch ms).';
comment on column warehouse.entities.digest is 'Ours: digest of this observation, so that an unchanged one is not written again.';
comment on column warehouse.entities.observed_at is 'Ours: when the response that carried this form was received; an older one never overwrites it.';

create table warehouse.entity_social_media (
    entity_id uuid not null references warehouse.entities (id) on delete cascade,
    position integer not null,
    media text,
    url text,
    primary key (entity_id, position)
);
comment on table warehouse.entity_social_media is 'Social links of an entity, in the order received.';
comment on column warehouse.entity_social_media.entity_id is 'The entity.';
comment on column warehouse.entity_social_media.position is 'Place in entity.social_media, from 0.';
comment on column warehouse.entity_social_media.media is 'Which network, for example X (social_media.media). Open list.';
comment on column warehouse.entity_social_media.url is 'Address of the profile (social_media.url). Personal.';

create table warehouse.activities (
    id uuid primary key,
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
    gone_at timestamptz
);
create index activities_created_at on warehouse.activities (created_at);
create index activities_entity_id on warehouse.activities (entity_id);
create index activities_details_fetched_at on warehouse.activities (details_fetched_at);
create index activities_status on warehouse.activities (status, created_at);
comment on table warehouse.activities is
    'One row per activity: a request, share, swap or authorization between the business and a counterpart.';
comment on column warehouse.activities.id is 'Activity ID (id).';
comment on column warehouse.activities.type is 'Activity type code, such as AT_001 (type). Labels: analytics.codes. Open list.';
comment on column warehouse.activities.type_name is 'Activity type name as the service words it (type_name).';
comment on column warehouse.activities.in_out_bound is 'IN: received from another member; OUT: sent (in_out_bound). Open list.';
comment on column warehouse.activities.entity_id is 'The counterpart (entity.id); null when the service sends none.';
comment on column warehouse.activities.description is 'Message delivered to the receiver (description).';
comment on column warehouse.activities.status is 'Activity status (status). Labels and which are final: analytics.codes. Open list.';
comment on column warehouse.activities.notification_message is 'Message delivered to the emitter (notification_message).';
comment on column warehouse.activities.time_zone is 'Time zone of the activity, IANA style, as it came (time_zone).';
comment on column warehouse.activities.valid_until is 'When the activity becomes CANCELED if nobody answers (valid_until, from epoch ms).';
comment on column warehouse.activities.attended_at is 'When the counterpart accepted or declined (attended_at, from epoch ms; null before, also where the service sends 0).';
comment on column warehouse.activities.completed_at is 'When the activity was set to COMPLETED (completed_at, from epoch ms; null before, also where the service sends 0).';
comment on column warehouse.activities.expires_at is 'When the shared resources stop being available (expires_at, from epoch ms; null before, also where the service sends 0).';
comment on column warehouse.activities.created_at is 'When the activity was created (created_at, from epoch ms).';
comment on column warehouse.activities.updated_at is 'When the service last updated it (updated_at, from epoch ms); only details carry it.';
comment on column warehouse.activities.expires_in_time_unit is 'Unit of the sharing period, for example HOURS (expires_in.time_unit). Open list.';
comment on column warehouse.activities.expires_in_amount is 'Length of the sharing period in that unit (expires_in.amount).';
comment on column warehouse.activities.first_seen_at is 'Ours: when a response first carried this activity.';
comment on column warehouse.activities.details_fetched_at is 'Ours: when the stored details were first received in this form; null: listed, details not yet had.';
comment on column warehouse.activities.gone_at is 'Ours: when the service was found to offer it no more, on evidence; null: still offered.';

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
create index requirements_code on warehouse.requirements (code, disposition);
comment on table warehouse.requirements is
    'What was requested, accepted and declined: one row per element of the three arrays of an activity''s details.';
comment on column warehouse.requirements.activity_id is 'The activity.';
comment on column warehouse.requirements.disposition is 'requested (requirements), accepted (accepted_requirements) or declined (declined_requirements).';
comment on column warehouse.requirements.position is 'Place in its array, from 0, in the order received.';
comment on column warehouse.requirements.code is 'Requirement code, such as RQ_001 (code). Labels: analytics.codes. Open list.';
comment on column warehouse.requirements.type is 'Requirement type, such as RTP_001 (type); accepted ones only. Open list.';
comment on column warehouse.requirements.category is 'Requirement category, such as RQC_001 (category); accepted ones only. Open list.';
comment on column warehouse.requirements.value is 'The shared value (data.value); accepted ones only. Personal.';

create table warehouse.requirement_items (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    disposition text not null check (disposition in ('requested', 'declined')),
    requirement_position integer not null,
    position integer not null,
    code text,
    primary key (activity_id, disposition, requirement_position, position)
);
comment on table warehouse.requirement_items is 'Items of requested and declined requirements, one row per element of items.';
comment on column warehouse.requirement_items.activity_id is 'The activity.';
comment on column warehouse.requirement_items.disposition is 'requested or declined, as in warehouse.requirements.';
comment on column warehouse.requirement_items.requirement_position is 'Position of the requirement in its array, from 0.';
comment on column warehouse.requirement_items.position is 'Place in items, from 0, in the order received.';
comment on column warehouse.requirement_items.code is 'Item code, for example IDT_001 (items.code). Labels: analytics.codes. Open list.';

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
create index accepted_items_code on warehouse.accepted_items (requirement_code, code);
comment on table warehouse.accepted_items is 'Items of accepted requirements with the values shared, one row per element of items.';
comment on column warehouse.accepted_items.activity_id is 'The activity.';
comment on column warehouse.accepted_items.requirement_position is 'Position of the requirement in accepted_requirements, from 0.';
comment on column warehouse.accepted_items.position is 'Place in items, from 0, in the order received.';
comment on column warehouse.accepted_items.requirement_code is 'Code of the requirement it belongs to (accepted_requirements.code).';
comment on column warehouse.accepted_items.code is 'Item code, for example PIF_001 (items.code). Labels: analytics.codes. Open list.';
comment on column warehouse.accepted_items.type is 'Item type, such as RTP_001 (items.type). Open list.';
comment on column warehouse.accepted_items.value is 'The shared value (items.data.value). Personal.';

create table warehouse.timeline_events (
    activity_id uuid not null references warehouse.activities (id) on delete cascade,
    position integer not null,
    status text,
    date_time timestamptz,
    message text,
    http_request_id text,
    primary key (activity_id, position)
);
comment on table warehouse.timeline_events is 'History of an activity''s status changes, one row per element of timeline.';
comment on column warehouse.timeline_events.activity_id is 'The activity.';
comment on column warehouse.timeline_events.position is 'Place in timeline, from 0, in the order received.';
comment on column warehouse.timeline_events.status is 'Status entered (timeline.status). Open list.';
comment on column warehouse.timeline_events.date_time is
    'When (timeline.date_time, ISO 8601; without an offset it is read in the activity''s time_zone, else in UTC).';
comment on column warehouse.timeline_events.message is 'The service''s remark (timeline.message).';
comment on column warehouse.timeline_events.http_request_id is 'The service''s request that caused it (timeline.http_request_id).';
