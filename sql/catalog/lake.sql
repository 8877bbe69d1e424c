-- The metadata of the files of an export: key, meaning and units of columns, the zone of days, and the newest run that
-- has ended, which is the one to name for the next export of changes.
select
    relation.relname,
    jsonb_strip_nulls(jsonb_build_object(
        'relation', 'analytics.' || relation.relname,
        'comment', obj_description(relation.oid, 'pg_class'),
        'key', case
            when relation.relname = 'counterparts' then 'entity_id'
            when relation.relname = 'days' then 'day'
            when relation.relname = 'changed_activities' then 'activity_id'
            else (
                select string_agg(attribute.attname, ', ' order by array_position(own.conkey, attribute.attnum))
                from pg_constraint as own
                inner join pg_attribute as attribute
                    on attribute.attrelid = own.conrelid and attribute.attnum = any(own.conkey)
                where own.conrelid = relation.oid and own.contype = 'p'
            )
        end,
        'columns', (
            select jsonb_object_agg(attname, col_description(attrelid, attnum))::text
            from pg_attribute
            where attrelid = relation.oid and attnum > 0 and not attisdropped
        ),
        'units', (
            select jsonb_object_agg(
                attname,
                case
                    when attname like '%%hours%%' then 'hours'
                    when attname like '%%_rate' then 'share, 0 to 1'
                    when attname like '%%_day' or attname in ('day', 'week', 'month') then 'day in ' || calendar.time_zone
                    when atttypid = 'timestamptz'::regtype then 'instant, UTC'
                end
            )::text
            from pg_attribute
            where attrelid = relation.oid and attnum > 0 and not attisdropped
        ),
        'time_zone', calendar.time_zone,
        'refreshed_at', (select min(refreshed_at) from sync.view_versions)::text,
        'since', (
            select run_id from sync.runs where finished_at is not null order by started_at desc limit 1
        )
    ))
from pg_class as relation
cross join sync.calendar
where relation.relnamespace = 'analytics'::regnamespace and relation.relname = any(%(names)s)
