-- What the tables, columns and functions of schema landing mean. `pipeline migrate` applies this file when it changed.

comment on schema landing is
    'Responses as received, every distinct version. Personal data: only for the owner of the pipeline.';

comment on table landing.activity_details is
    'Every version of an activity''s details response. Personal.';
comment on column landing.activity_details.activity_id is 'The activity that was requested.';
comment on column landing.activity_details.first_seen_at is 'When this version was first received.';
comment on column landing.activity_details.last_seen_at is 'When this version was last received.';
comment on column landing.activity_details.digest is
    'BLAKE2b-128 of the response as received, also when a part of the body was erased later.';
comment on column landing.activity_details.body is
    'The bytes of the response as received. Erased values are null in it.';

comment on table landing.activity_list_rows is
    'Every version of an activity''s row in the list. The last list with the newest version: verified_at of its day in sync.coverage. Personal.';
comment on column landing.activity_list_rows.activity_id is 'The activity.';
comment on column landing.activity_list_rows.first_seen_at is
    'When this version was first received. It was current until the next version.';
comment on column landing.activity_list_rows.digest is
    'BLAKE2b-128 of the row as received, also when a part of the body was erased later.';
comment on column landing.activity_list_rows.body is
    'The element of the list''s data, bytes as received. After an erasure of its counterpart the personal fields are null.';

comment on view landing.activity_versions is
    'Every version of every activity that we ever received, with the time during which it was the newest. A list row counts until the first details.';
comment on column landing.activity_versions.activity_id is 'The activity.';
comment on column landing.activity_versions.source is
    'Response that carried the version: details or list.';
comment on column landing.activity_versions.known_from is 'When the version was first received.';
comment on column landing.activity_versions.known_to is
    'When the next version was received. Null: this is the newest.';
comment on column landing.activity_versions.type is 'Code of the activity type (type).';
comment on column landing.activity_versions.in_out_bound is
    'IN: received. OUT: sent (in_out_bound).';
comment on column landing.activity_versions.entity_id is 'The counterpart (entity.id).';
comment on column landing.activity_versions.status is 'Status of the activity (status).';
comment on column landing.activity_versions.time_zone is
    'Time zone of the activity, as received (time_zone).';
comment on column landing.activity_versions.valid_until is
    'When it becomes CANCELED if nobody answers (valid_until, from epoch ms).';
comment on column landing.activity_versions.attended_at is
    'When the counterpart accepted or declined (attended_at, from epoch ms).';
comment on column landing.activity_versions.completed_at is
    'When it became COMPLETED (completed_at, from epoch ms).';
comment on column landing.activity_versions.expires_at is
    'When the shared data stop being available (expires_at, from epoch ms).';
comment on column landing.activity_versions.created_at is
    'When it was created (created_at, from epoch ms).';
comment on column landing.activity_versions.updated_at is
    'When the service last updated it (updated_at, from epoch ms).';
comment on column landing.activity_versions.expires_in_time_unit is
    'Unit of the sharing period (expires_in.time_unit).';
comment on column landing.activity_versions.expires_in_amount is
    'Length of the sharing period in that unit (expires_in.amount).';

comment on function landing.read_instant(value jsonb) is
    'Epoch milliseconds (a number, a numeric string, or an object with one number), or ISO 8601 with an offset, as an instant (docs/service.md 2). Null: anything else.';

comment on function landing.read_uuid(value text) is
    'An id in any spelling (docs/service.md 2.4) as a UUID. Null: it is none.';

comment on function landing.mentions(body bytea, id uuid) is
    'Whether the bytes of a response say an id in any spelling.';

comment on function landing.read_fields(body bytea) is
    'The bytes of a response as jsonb, without what activity_versions can''t show: a period that is no number.';

comment on function landing.read_json(body bytea) is
    'The bytes of a response as jsonb. Characters that PostgreSQL cannot hold are replaced. Null: not JSON.';
