-- Activities written again from responses that landing holds already: landing says when the first
-- response came, and when the stored details were first received in this form; if it has lost them, the
-- times stay. The record of erasures says when values were erased.
update warehouse.activities as stored set
    first_seen_at = coalesce(least(details.first, listed.first), stored.first_seen_at),
    details_fetched_at = case
        when stored.details_fetched_at is not null then coalesce(details.last, stored.details_fetched_at)
    end,
    values_erased_at = erased.at
from unnest(%(ids)s::uuid[]) as asked (id)
cross join lateral (
    select min(first_seen_at) as first, max(first_seen_at) as last
    from landing.activity_details
    where activity_id = asked.id
) as details
cross join lateral (
    select min(first_seen_at) as first
    from landing.activity_list_rows
    where activity_id = asked.id
) as listed
cross join lateral (
    select max(erased_at) as at
    from sync.erasures
    where activity_id = asked.id
) as erased
where stored.id = asked.id
