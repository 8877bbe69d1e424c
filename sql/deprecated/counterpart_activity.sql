-- depends: activities
create view analytics.counterpart_activity as
select
    entity.id as entity_id,
    count(activity.activity_id) as activities,
    count(*) filter (where activity.in_out_bound = 'IN') as received,
    count(*) filter (where activity.in_out_bound = 'OUT') as sent,
    count(*) filter (where activity.outcome = 'pending') as pending,
    count(*) filter (where activity.outcome in ('accepted', 'share')) as accepted,
    count(*) filter (where activity.outcome = 'declined') as declined,
    count(*) filter (where activity.outcome = 'canceled') as canceled,
    min(activity.created_at) as first_contact_at,
    max(greatest(activity.created_at, activity.answered_at, activity.completed_at)) as last_contact_at
from warehouse.entities as entity
left join analytics.activities as activity on activity.entity_id = entity.id
group by entity.id;
comment on view analytics.counterpart_activity is 'Deprecated: mixes our answers with theirs. Use analytics.counterparts.';
