-- One row for each activity and reason. What is erased later is added to the counts.
insert into sync.erasures as known (
    activity_id, reason, erased_at, "values", responses, payloads
)
select erased.activity_id, erased.reason, now(), erased."values", erased.responses, erased.payloads
from unnest(
    %(ids)s::uuid[], %(reasons)s::text[], %(values)s::bigint[],
    %(responses)s::bigint[], %(payloads)s::bigint[]
) as erased (activity_id, reason, "values", responses, payloads)
order by erased.activity_id
on conflict (activity_id, reason) do update set
    erased_at = excluded.erased_at,
    "values" = known."values" + excluded."values",
    responses = known.responses + excluded.responses,
    payloads = known.payloads + excluded.payloads
