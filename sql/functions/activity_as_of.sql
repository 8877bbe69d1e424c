-- Each version of a response, read: landing.activity_versions.
create or replace view landing.activity_versions as
select
    version.activity_id,
    version.source,
    version.known_from,
    version.known_to,
    parsed.fields ->> 'type' as type,
    parsed.fields ->> 'in_out_bound' as in_out_bound,
    lower(parsed.fields #>> '{entity,id}')::uuid as entity_id,
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
cross join lateral (
    select landing.read_json(version.body) as fields
    -- Each body is parsed once.
    offset 0
) as parsed;

-- What we knew at an instant, without parsing responses that the tables still hold in the same form.
-- Both forms have one text: of all activities, and of one.
do $do$
declare
    form record;
begin
    for form in
        select *
        from (
            values ('', '', ''), (', activity uuid', 'and id = activity', 'and activity_id = activity')
        ) as each (parameter, of_activity, of_version)
    loop
        execute format(
            $format$
            create or replace function analytics.activity_as_of(at timestamptz%1$s)
            returns setof analytics.known_activity
            language sql
            stable
            security definer
            set search_path = pg_catalog
            as $$
                select known.*, coalesce(gone.change = 'gone', false)
                from (
                    -- Details that came by then and are the newest: the tables hold them.
                    select
                        id as activity_id, 'details' as source, details_fetched_at as known_from,
                        null::timestamptz as known_to, type, in_out_bound, entity_id, status, time_zone, valid_until,
                        attended_at, completed_at, expires_at, created_at, updated_at, expires_in_time_unit,
                        expires_in_amount
                    from warehouse.activities
                    where details_fetched_at <= at %2$s
                    union all
                    select version.*
                    from (
                        -- Any details come before a row of the list.
                        select distinct on (activity_id) activity_id, source, first_seen_at
                        from (
                            select activity_id, 'details' as source, first_seen_at
                            from landing.activity_details
                            union all
                            select activity_id, 'list', first_seen_at
                            from landing.activity_list_rows
                        ) as received
                        where first_seen_at <= at %3$s
                            and not exists (
                                select from warehouse.activities as stored
                                where stored.id = received.activity_id and stored.details_fetched_at <= at
                            )
                        order by activity_id, source, first_seen_at desc
                    ) as newest
                    cross join lateral (
                        select each.*
                        from landing.activity_versions as each
                        where each.activity_id = newest.activity_id
                            and each.source = newest.source
                            and each.known_from = newest.first_seen_at
                        -- Of other versions nothing is parsed.
                        offset 0
                    ) as version
                ) as known
                left join (
                    select distinct on (activity_id) activity_id, change
                    from sync.run_changes
                    where change in ('gone', 'returned') and recorded_at <= at %4$s
                    order by activity_id, recorded_at desc
                ) as gone on gone.activity_id = known.activity_id::text
            $$
            $format$,
            form.parameter, form.of_activity, form.of_version,
            replace(form.of_version, '= activity', '= activity::text')
        );
    end loop;
end
$do$;
