-- One activity and reason. What is erased later is added to the counts.
insert into sync.erasures as known (
    activity_id, reason, erased_at, "values", responses, payloads
)
values (%s, %s, now(), %s, %s, %s)
on conflict (activity_id, reason) do update set
    erased_at = excluded.erased_at,
    "values" = known."values" + excluded."values",
    responses = known.responses + excluded.responses,
    payloads = known.payloads + excluded.payloads
