-- Stores a fact about the service. A different value keeps the previous one, which is returned then, and when it
-- changed.
insert into sync.service_facts as known (fact, value, learned_at)
values (%(fact)s, %(value)s, now())
on conflict (fact) do update set
    value = excluded.value,
    learned_at = excluded.learned_at,
    previous_value = case
        when known.value = excluded.value then known.previous_value else known.value
    end,
    changed_at = case when known.value = excluded.value then known.changed_at else now() end
returning case when changed_at = now() then previous_value end
