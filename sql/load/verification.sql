-- The result of a sample. A run that starts over under its old id replaces it.
insert into sync.verifications (
    run_id, sampled, compared, stale, refused, failed, share_low, share_high, stale_upper_bound, finished_at
)
values (
    %(run_id)s, %(sampled)s, %(compared)s, %(stale)s, %(refused)s, %(failed)s,
    %(share_low)s, %(share_high)s, %(stale_upper_bound)s, now()
)
on conflict (run_id) do update set
    sampled = excluded.sampled,
    compared = excluded.compared,
    stale = excluded.stale,
    refused = excluded.refused,
    failed = excluded.failed,
    share_low = excluded.share_low,
    share_high = excluded.share_high,
    stale_upper_bound = excluded.stale_upper_bound,
    finished_at = excluded.finished_at
