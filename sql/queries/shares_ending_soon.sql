-- Which shared data can be read for one more week at most?
-- The answer changes with the clock.
select code, code_label, count(*) as shares, min(expires_at) as first_ends_at
from analytics.expiring_shares
where expires_at between now() and now() + interval '7 days'
group by 1, 2
order by 4
