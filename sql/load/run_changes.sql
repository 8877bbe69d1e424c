-- Stores what a run did to activities; what is stored already counts once.
insert into sync.run_changes (run_id, activity_id, change, fields, recorded_at)
select %(run_id)s, changed.activity_id, changed.change, changed.fields, now()
from jsonb_to_recordset(%(changes)s) as changed (activity_id text, change text, fields text[])
on conflict do nothing
