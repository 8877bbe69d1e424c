-- Stores what a run changed; a change that is stored already counts once.
insert into sync.run_changes (run_id, activity_id, change, fields, recorded_at)
select
    %(run_id)s,
    changed.activity_id,
    changed.change,
    case when changed.fields is not null then array(select jsonb_array_elements_text(changed.fields)) end,
    now()
from unnest(%(ids)s::text[], %(changes)s::text[], %(fields)s::jsonb[]) as changed (activity_id, change, fields)
on conflict do nothing
