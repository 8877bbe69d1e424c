-- For copies of the facts elsewhere: what to replace in them, by whole activities.
create view analytics.changed_activities as
select activity_id, changed_at as refreshed_at
from sync.fact_changes;

comment on view analytics.changed_activities is 'One row per activity of which a refresh wrote, changed or removed a row of the facts: for copies of the facts. What changed in the service is in analytics.status_changes.';
comment on column analytics.changed_activities.refreshed_at is 'Ours: when a refresh last did so, also where only our computation changed. Not when the activity changed.';
