-- How many activities a run changed, by change and field. An activity counts in each of its fields.
select changes.change, field, count(*)
from sync.run_changes as changes
left join lateral unnest(changes.fields) as field on true
where changes.run_id = %(run_id)s
group by 1, 2
order by 3 desc, 1, 2
