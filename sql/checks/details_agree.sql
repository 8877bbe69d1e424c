-- table: activities
-- promise: Details lose nothing, rewrite nothing and agree with the list, but for habits of the service.
-- remedy: select activity_id, discrepancy from sync.activity_ledger where discrepancy is not null; former answers are in landing.activity_details
--
-- Activities whose details came with a discrepancy that no later answer has taken back.
select activity_id::text || ' (' || discrepancy || ')'
from sync.activity_ledger
where discrepancy is not null
    and not string_to_array(discrepancy, '; ') <@ array(
        select discrepancy from sync.habits where confirmed_at is not null
    )
order by discrepancy_since desc, activity_id
limit 1000
