-- depends: 0002_warehouse
-- Responses as received. A new row only where a response differs from the version before it,
-- so an unchanged night adds nothing; the warehouse can be rebuilt from here without one request.

create table landing.activity_details (
    activity_id uuid not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
comment on table landing.activity_details is 'Every version of an activity''s details response. Personal.';
comment on column landing.activity_details.activity_id is 'The activity asked for.';
comment on column landing.activity_details.first_seen_at is 'When this version was first received.';
comment on column landing.activity_details.last_seen_at is 'When this version was last received.';
comment on column landing.activity_details.digest is 'BLAKE2b-128 of body.';
comment on column landing.activity_details.body is 'The response''s bytes as received. Personal.';

create table landing.activity_list_rows (
    activity_id uuid not null,
    first_seen_at timestamptz not null,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
comment on table landing.activity_list_rows is
    'Every version of an activity''s row in the list. When a list last carried the newest one is its day''s sync.coverage.verified_at. Personal.';
comment on column landing.activity_list_rows.activity_id is 'The activity.';
comment on column landing.activity_list_rows.first_seen_at is 'When this version was first received; it was current until the next version''s.';
comment on column landing.activity_list_rows.digest is 'BLAKE2b-128 of body.';
comment on column landing.activity_list_rows.body is 'The element of the list''s data, its bytes as received. Personal.';
