-- Marks again which share of the same thing is the latest, for the counterparts of changed activities: a new
-- share takes the mark from that of another activity, and gives it back when it goes. Nobody else writes the rows
-- meanwhile, so they keep their places.
with marked as (
update {view} as share
set is_latest = ranked.is_latest
from (
    select
        ctid as place,
        rank() over (
            partition by entity_id, direction, {codes} order by readable_from desc, activity_id desc
        ) = 1 as is_latest
    from {view}
    where readable_from is not null
        and num_nulls({codes}) = 0
        and entity_id in (select entity_id from changed union select former_entity_id from changed)
) as ranked
where share.ctid = ranked.place
    and share.is_latest is distinct from ranked.is_latest
    returning share.activity_id
)

insert into sync.fact_changes (activity_id, changed_at)
select activity_id, clock_timestamp() from marked group by activity_id
on conflict (activity_id) do update set changed_at = excluded.changed_at
