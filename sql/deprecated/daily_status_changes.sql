-- depends: status_changes
create view analytics.daily_status_changes as
select fact.created_day, move.day, fact.status, sum(move.change) as change
from analytics.status_changes as fact
cross join lateral (values (fact.entered_day, 1), (fact.left_day, -1)) as move (day, change)
where move.day is not null
group by 1, 2, 3
having sum(move.change) <> 0;
comment on view analytics.daily_status_changes is 'Deprecated: use analytics.status_changes.';
