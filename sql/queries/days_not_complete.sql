-- Which days are not complete, and why?
select day, listed, stored, quarantined, gone, unverified
from sync.coverage
where verified_at is null or unverified is not null or listed <> stored + quarantined
order by day
limit 10
