-- For copies of the facts elsewhere: what to replace in them, by whole activities.
create view analytics.changed_activities as
select activity_id, changed_at
from sync.fact_changes;

comment on view analytics.changed_activities is 'One row per activity of which a refresh wrote, changed or removed a row of the facts.';
comment on column analytics.changed_activities.changed_at is 'When a refresh last did so.';
