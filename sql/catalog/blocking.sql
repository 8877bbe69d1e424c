-- The sessions that a session waits for, in words. What our role may not know of another's session is null.
select
    format('session %%s', blocking.pid)
    || coalesce(format(' of role %%s', shown.usename), '')
    || coalesce(format(' (%%s)', nullif(shown.application_name, '')), '')
    || coalesce(to_char(shown.xact_start at time zone 'UTC', '", in a transaction since "YYYY-MM-DD HH24:MI:SS" UTC"'), '')
from unnest(pg_blocking_pids(%s)) as blocking (pid)
left join pg_stat_activity as shown on shown.pid = blocking.pid
order by shown.xact_start, blocking.pid
