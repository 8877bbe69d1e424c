-- Activities that ended so many months ago and still hold what is personal: answered with no, canceled,
-- withdrawn by the service, or shared until then. The last of all instants that we know of decides.
select activity.id::text as id, 'retention' as reason
from warehouse.activities as activity
cross join lateral sync.fresh_activities(array[activity.id]) as fact
where activity.personal_erased_at is null
    and activity.created_at < %(now)s::timestamptz - make_interval(months => %(months)s)
    and fact.outcome is distinct from 'pending'
    and (
        fact.outcome in ('declined', 'canceled')
        or num_nonnulls(fact.sharing_ended_by, activity.expires_at, activity.gone_at) > 0
    )
    and greatest(
        activity.created_at, activity.attended_at, activity.completed_at, activity.valid_until,
        activity.expires_at, activity.gone_at,
        case
            when fact.is_final then coalesce(
                (
                    select max(event.date_time)
                    from warehouse.timeline_events as event
                    where event.activity_id = activity.id and event.status = activity.status
                ),
                activity.updated_at
            )
        end
    ) < %(now)s::timestamptz - make_interval(months => %(months)s)
limit %(limit)s
