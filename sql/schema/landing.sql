-- Responses as received. A new row only where a response differs from the version before it, so an unchanged
-- night adds nothing. The warehouse can be built from here again without one request.

create table landing.activity_details (
    activity_id uuid not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
-- Each run asks which stored times are later than now. Such indexes are a few pages, whatever the size of the
-- table, and answer without reading it.
create index activity_details_times on landing.activity_details
using brin (first_seen_at) with (autosummarize = on);
-- The planner's statistics would be one more copy of the values: none are kept. So it is with all that is shared.
alter table landing.activity_details alter column body set statistics 0;
select sync.watch('landing.activity_details', 'activity_id', 'sync.mark_altered');

create table landing.activity_list_rows (
    activity_id uuid not null,
    first_seen_at timestamptz not null,
    digest bytea not null,
    body bytea not null,
    primary key (activity_id, first_seen_at)
);
create index activity_list_rows_times on landing.activity_list_rows
using brin (first_seen_at) with (autosummarize = on);
alter table landing.activity_list_rows alter column body set statistics 0;
select sync.watch('landing.activity_list_rows', 'activity_id', 'sync.mark_altered');

-- Every version of every activity. A row of the list counts until the first details.
create view landing.activity_versions as
select
    version.activity_id,
    version.source,
    version.known_from,
    version.known_to,
    parsed.fields ->> 'type' as type,
    parsed.fields ->> 'in_out_bound' as in_out_bound,
    landing.read_uuid(parsed.fields #>> '{entity,id}') as entity_id,
    parsed.fields ->> 'status' as status,
    parsed.fields ->> 'time_zone' as time_zone,
    landing.read_instant(parsed.fields -> 'valid_until') as valid_until,
    landing.read_instant(nullif(parsed.fields -> 'attended_at', '0')) as attended_at,
    landing.read_instant(nullif(parsed.fields -> 'completed_at', '0')) as completed_at,
    landing.read_instant(nullif(parsed.fields -> 'expires_at', '0')) as expires_at,
    landing.read_instant(parsed.fields -> 'created_at') as created_at,
    landing.read_instant(parsed.fields -> 'updated_at') as updated_at,
    parsed.fields #>> '{expires_in,time_unit}' as expires_in_time_unit,
    (parsed.fields #>> '{expires_in,amount}')::numeric as expires_in_amount
from (
    select
        details.activity_id,
        'details' as source,
        details.first_seen_at as known_from,
        (
            select min(later.first_seen_at)
            from landing.activity_details as later
            where later.activity_id = details.activity_id
                and later.first_seen_at > details.first_seen_at
        ) as known_to,
        details.body
    from landing.activity_details as details
    union all
    select
        listed.activity_id,
        'list',
        listed.first_seen_at,
        least(
            (
                select min(later.first_seen_at)
                from landing.activity_list_rows as later
                where later.activity_id = listed.activity_id
                    and later.first_seen_at > listed.first_seen_at
            ),
            first_details.at
        ),
        listed.body
    from landing.activity_list_rows as listed
    cross join lateral (
        select min(details.first_seen_at) as at
        from landing.activity_details as details
        where details.activity_id = listed.activity_id
    ) as first_details
    where first_details.at is null or listed.first_seen_at < first_details.at
) as version
-- Each body is parsed once, not for every column.
cross join lateral (select landing.read_fields(version.body) as fields offset 0) as parsed;
