-- All samples that count for the upper bound, summed up: how many activities were drawn, and how many of
-- them were not shown to be right.
select
    coalesce(sum(sampled), 0)::bigint as sampled,
    coalesce(sum(sampled - compared + stale), 0)::bigint as doubtful,
    coalesce((array_agg(stale_upper_bound order by finished_at desc))[1], 1) as stale_upper_bound
from sync.verifications
where stale_upper_bound is not null
