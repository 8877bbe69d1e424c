-- The hours from which on another offset of the zone holds, with the offset in seconds east of UTC.
select hourly.hour, hourly.seconds
from (
    select
        each.hour,
        each.seconds,
        lag(each.seconds) over (order by each.hour) as before
    from (
        select
            hour,
            extract(
                epoch from (hour at time zone %(zone)s) - (hour at time zone 'UTC')
            )::integer as seconds
        from generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '1 hour') as hour
    ) as each
) as hourly
where hourly.before is distinct from hourly.seconds
order by hourly.hour
