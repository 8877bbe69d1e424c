-- The first hour in which a zone has another offset, in seconds east of UTC, than one was given for each hour.
select hour.at
from generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '1 hour')
    with ordinality as hour (at, place)
inner join unnest(%(offsets)s::float8[]) with ordinality as given (seconds, place) on given.place = hour.place
where extract(epoch from (hour.at at time zone %(zone)s) - (hour.at at time zone 'UTC')) <> given.seconds
order by hour.at
limit 1
