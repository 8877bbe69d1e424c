-- Why can what was given in activities of the last seven days not be read any more?
-- The answer changes with the clock.
select why_not, count(*) as consents
from analytics.consents
where created_day > (select (now() at time zone time_zone)::date - 7 from analytics.freshness) and valid_from is not null
group by 1
order by 2 desc, 1
