-- swaps begun by each side, and those in which something was shared
select in_out_bound, count(*), count(*) filter (where is_shared)
from activities
where direction = 'both ways'
group by 1

-- what became of the requests of each file
select source, result, count(*)
from authorization_outcomes
group by 1, 2

-- received at night, and at weekends
select
    count(*) filter (where created_hour_local >= 22 or created_hour_local < 6),
    count(*) filter (where created_weekday in (6, 7))
from activities
where in_out_bound = 'IN'

-- completed in each week
select date_trunc('week', completed_day)::date, count(*)
from activities
where completed_day is not null
group by 1

-- requests of ours of which they accepted some and declined some
select count(*)
from (
    select activity_id
    from requirements
    where is_asked and in_out_bound = 'OUT'
    group by 1
    having bool_or(is_accepted) and bool_or(outcome = 'declined')
) as mixed

-- items asked and given in an accepted request
select avg(asked), avg(given)
from (
    select
        activity_id,
        count(*) filter (where items.is_asked) as asked,
        count(*) filter (where items.is_accepted) as given
    from items
    inner join activities using (activity_id)
    where activities.outcome = 'accepted' and activities.in_out_bound = 'OUT'
    group by 1
) as each_request

-- items left out where a requirement was accepted in part
select items.item_code, count(*)
from items
inner join requirements using (activity_id, requirement_number)
where requirements.outcome = 'partly' and not items.is_accepted
group by 1

-- what ended the sharing in each month
select date_trunc('month', sharing_ends_day)::date, coalesce(sharing_ended_by, 'period'), count(*)
from activities
where sharing_ended
group by 1, 2

-- for how many days was shared what has ended, by type
select activity_type_label, avg(sharing_ends_at - shared_from)
from activities
where sharing_ended
group by 1

-- of whom can we read something now
select entity_type, count(distinct entity_id)
from consents
inner join counterparts using (entity_id)
where readable_now and direction in ('to us', 'both ways')
group by 1

-- counterparts met in each month, and those that accepted something since
select
    date_trunc('month', first_contact_day)::date,
    count(*),
    count(*) filter (where they_accepted_activities > 0)
from counterparts
where activities > 0
group by 1

-- who declined and never accepted
select entity_id::text
from counterparts
where they_declined_activities > 0 and they_accepted_activities = 0

-- hours from acceptance to completion
select avg(hours)
from status_changes
where status = 'ACCEPTED' and next_status = 'COMPLETED'

-- came back to life after a final status
select change.changed_from, count(distinct change.activity_id)
from status_changes as change
inner join codes as past on past.kind = 'status' and past.code = change.changed_from
inner join codes as present on present.kind = 'status' and present.code = change.status
where past.final and not present.final
group by 1

-- items given to us without being asked for
select item_code, count(*)
from items
where is_accepted and not is_asked and direction = 'to us'
group by 1

-- what part of what the service lists do we have
select month, sum(stored_activities) / sum(listed_activities)
from days
where listed_activities > 0
group by 1

-- how many were in each status at the end of a day
select status, activities
from daily_status
where day = '{day}' and activities > 0

-- how many did we believe to be in each status on each evening
select evening.at, known.status, count(*)
from unnest('{{{evenings}}}'::timestamptz[]) as evening (at), activity_as_of(evening.at) as known
group by 1, 2

-- activities and gifts of people who asked to be erased
select count(distinct activities.activity_id), count(*) filter (where requirements.is_accepted)
from activities
inner join counterparts using (entity_id)
left join requirements using (activity_id)
where counterparts.erased_at is not null

-- are longer messages accepted more often
select activities.outcome, avg(length(messages.message))
from messages
inner join activities using (activity_id)
where messages.source = 'description' and messages.in_out_bound = 'OUT'
group by 1

-- how many sharings go on
select activity_type, count(*)
from activities
where not sharing_ended
group by 1

-- how many hours an answer, or the end of the wait, took
select in_out_bound, avg(hours)
from status_changes
where status in ('SENT', 'ACTION_REQUIRED')
group by 1

-- whose time to answer is over soon
select in_out_bound, count(*)
from open_activities
where valid_until < now() + interval '2 days'
group by 1
