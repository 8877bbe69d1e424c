-- depends: activities
-- Activities that are not final, with the time left by the clock of the reader.
create view analytics.open_activities as
select
    activity_id,
    created_day,
    activity_type,
    activity_type_label,
    in_out_bound,
    status,
    status_label,
    case when outcome in ('accepted', 'share') then 'completion' else waiting_for end as waiting_for,
    entity_id,
    created_at,
    now() - created_at as age,
    case when outcome = 'pending' then valid_until end as valid_until,
    case when outcome = 'pending' then valid_until - now() end as time_left,
    coalesce(outcome = 'pending' and valid_until <= now(), false) as is_overdue,
    details_fetched_at,
    case when outcome = 'pending' then extract(epoch from valid_until - now())::double precision / 3600 end as hours_left
from analytics.activities
where not is_final and gone_at is null;

comment on view analytics.open_activities is
    'Activities whose status does not end the process, with the time left for an answer. Filter by day, valid_until, id or entity_id.';
comment on column analytics.open_activities.waiting_for is 'What must come next. us: our answer (IN). them: their answer (OUT). completion. Null: the status or the direction has no label.';
comment on column analytics.open_activities.valid_until is 'When it becomes CANCELED if nobody answers. Null: already answered.';
comment on column analytics.open_activities.age is 'Time since its creation.';
comment on column analytics.open_activities.time_left is 'Time left for an answer, negative after the deadline. Null: already answered.';
comment on column analytics.open_activities.is_overdue is 'True when valid_until has passed without an answer. The next run fetches its details.';
comment on column analytics.open_activities.hours_left is 'Time left for an answer in hours, negative after the deadline. Null: already answered.';
