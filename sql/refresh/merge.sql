-- Brings the rows of some activities in a stored view up to date; null: all rows. An activity without a changed
-- row is not written. A full join is planned by hash or by sort, so its time grows with the rows, whatever the
-- statistics say. Two rows are compared as whole values, so nulls are equal. `latest` reads what changed here, too.
drop table if exists pg_temp.staged, pg_temp.changed;

create temporary table staged on commit drop as
select * from {fresh};

create temporary table changed on commit drop as
select activity_id, staged.entity_id, stored.entity_id as former_entity_id
from staged
full join (
    select * from {view} where {ids} is null or activity_id = any({ids})
) as stored using ({key})
where staged is distinct from stored
group by 1, 2, 3;

insert into sync.fact_changes (activity_id, changed_at)
select activity_id, clock_timestamp() from changed group by activity_id
on conflict (activity_id) do update set changed_at = excluded.changed_at;

delete from {view} where activity_id in (select activity_id from changed);

insert into {view}
select * from staged where activity_id in (select activity_id from changed)
