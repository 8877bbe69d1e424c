-- What we knew at an instant, without parsing responses that the tables still hold in the same form.
do $do$
declare
    form record;
begin
    if to_regtype('analytics.known_activity') is null then
        create type analytics.known_activity as (
            id uuid,
            source text,
            known_from timestamptz,
            known_to timestamptz,
            type text,
            in_out_bound text,
            entity_id uuid,
            status text,
            time_zone text,
            valid_until timestamptz,
            attended_at timestamptz,
            completed_at timestamptz,
            expires_at timestamptz,
            created_at timestamptz,
            updated_at timestamptz,
            expires_in_time_unit text,
            expires_in_amount numeric,
            gone boolean
        );
    end if;
    -- Both forms have one text: of all activities that were offered then, and of one, gone or not.
    for form in
        select *
        from (
            values
            ('', '', '', 'where gone.change is distinct from ''gone'''),
            (', activity uuid', 'and id = activity', 'and activity_id = activity', '')
        ) as each (parameter, of_activity, of_version, offered)
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
                        null::timestamptz as known_to, type, in_out_bound, entity_id,
                        coalesce(earlier.status, activities.status), time_zone, valid_until,
                        attended_at, completed_at, expires_at, created_at, updated_at, expires_in_time_unit,
                        expires_in_amount
                    from warehouse.activities
                    -- Since details are withheld, the table has the status of the list, which changed later.
                    left join sync.activity_ledger as ledger
                        on ledger.activity_id = activities.id and ledger.withheld_at > at
                    left join lateral (
                        select landing.read_json(received.body) ->> 'status' as status
                        from (
                            select activity_id, first_seen_at, body from landing.activity_details
                            union all
                            select activity_id, first_seen_at, body from landing.activity_list_rows
                        ) as received
                        where received.activity_id = ledger.activity_id and received.first_seen_at <= at
                        order by received.first_seen_at desc
                        limit 1
                    ) as earlier on true
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
                %5$s
            $$
            $format$,
            form.parameter, form.of_activity, form.of_version,
            replace(form.of_version, '= activity', '= activity::text'), form.offered
        );
    end loop;
end
$do$;
