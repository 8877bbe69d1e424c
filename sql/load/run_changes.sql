-- Stores what a run did to activities; what is stored already counts once. The fields in which an answer
-- differs are stored of changed ones only.
insert into sync.run_changes (run_id, activity_id, change, fields, recorded_at)
select
    %(run_id)s, changed.activity_id, changed.change,
    case when changed.change = 'changed' then changed.fields end, now()
from jsonb_to_recordset(%(changes)s) as changed (activity_id text, change text, fields text[])
on conflict do nothing
