-- How many activities have each discrepancy, how many of them no later answer has settled, and one of them.
select each.discrepancy, count(*) as number, count(*) filter (where discrepancy_settled_at is null) as open,
    min(activity_id::text) as example
from sync.activity_ledger as ledger
cross join unnest(string_to_array(ledger.discrepancy, '; ')) as each (discrepancy)
where ledger.discrepancy is not null
group by each.discrepancy
order by number desc, each.discrepancy
