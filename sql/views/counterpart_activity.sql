-- depends: activity_stages
-- refreshed by: entity_id
-- The counts of analytics.counterparts. Counted over all activities, so they are stored.
create table analytics.counterpart_activity (
    entity_id uuid,
    activities bigint,
    received bigint,
    sent bigint,
    pending bigint,
    accepted bigint,
    declined bigint,
    canceled bigint,
    first_contact_at timestamptz,
    last_contact_at timestamptz,
    constraint counterpart_activity_key primary key (entity_id)
);

create function sync.fresh_counterpart_activity(entities uuid[])
returns setof analytics.counterpart_activity
language sql
stable
as $$
    select
        entity.id,
        count(activity.activity_id),
        count(*) filter (where activity.in_out_bound = 'IN'),
        count(*) filter (where activity.in_out_bound = 'OUT'),
        count(*) filter (where activity.stage = 'pending'),
        count(*) filter (where activity.stage = 'accepted'),
        count(*) filter (where activity.stage = 'declined'),
        count(*) filter (where activity.stage = 'canceled'),
        min(activity.created_at),
        max(greatest(activity.created_at, activity.attended_at, activity.completed_at))
    from warehouse.entities as entity
    left join (
        select *
        from analytics.activity_stages
        where entities is null or entity_id = any(entities)
        -- Each stage is computed once, not in every count.
        offset 0
    ) as activity on activity.entity_id = entity.id
    where entities is null or entity.id = any(entities)
    group by entity.id
$$;
comment on function sync.fresh_counterpart_activity is
    'Rows of analytics.counterpart_activity for these counterparts, counted now. Null: for all.';

create index counterpart_activity_activities on analytics.counterpart_activity (activities);
create index counterpart_activity_received on analytics.counterpart_activity (received);
create index counterpart_activity_last_contact_at on analytics.counterpart_activity (last_contact_at);

comment on table analytics.counterpart_activity is
    'Counts per counterpart as of the last refresh. Read them in analytics.counterparts.';
comment on column analytics.counterpart_activity.entity_id is 'The counterpart.';
comment on column analytics.counterpart_activity.activities is 'Number of activities with it.';
comment on column analytics.counterpart_activity.received is 'Of these, received from it (IN).';
comment on column analytics.counterpart_activity.sent is 'Of these, sent to it (OUT).';
comment on column analytics.counterpart_activity.pending is 'Of these, not answered yet, and still offered.';
comment on column analytics.counterpart_activity.accepted is 'Of these, accepted in whole or in part, also when completed, expired or canceled since.';
comment on column analytics.counterpart_activity.declined is 'Of these, declined, also when canceled since.';
comment on column analytics.counterpart_activity.canceled is 'Of these, never answered.';
comment on column analytics.counterpart_activity.first_contact_at is 'When its first activity was created.';
comment on column analytics.counterpart_activity.last_contact_at is 'When an activity with it was last created, answered or completed.';
