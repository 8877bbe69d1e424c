-- A stored view was filled as a whole: all of its activities may have changed.
insert into sync.fact_changes (activity_id, changed_at)
select activity_id, clock_timestamp() from {view} group by activity_id
on conflict (activity_id) do update set changed_at = excluded.changed_at
