-- An instant as a local time. Most clients know the years 1 to 9999 only; what lies outside of these is null.
create or replace function sync.local_time(instant timestamptz, zone text) returns timestamp
language sql
stable
as $$
    select case
        when instant at time zone zone >= '0001-01-01' and instant at time zone zone < '10000-01-01'
            then instant at time zone zone
    end
$$;
comment on function sync.local_time is 'An instant as a local time in a zone. Null outside of the years 1 to 9999.';

-- "Never" is often the end of the year 9999, which is the year 10000 in some zones.
create or replace function sync.at_most_9999(instant timestamptz) returns timestamptz
language sql
immutable
as $$
    select case when instant >= '9999-12-31 00:00+00' then timestamptz '9999-12-31 00:00+00' else instant end
$$;
comment on function sync.at_most_9999 is 'An instant, or the beginning of the last day of the year 9999 (UTC) if it is later.';
