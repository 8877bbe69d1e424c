-- Activities that ended so many months ago and still hold what is personal: answered with no, canceled,
-- withdrawn by the service, or shared until then. The last of all instants that we know of decides.
select stage.activity_id::text as id, 'retention' as reason
from warehouse.activities as activity
inner join analytics.activity_stages as stage on stage.activity_id = activity.id
where activity.personal_erased_at is null
    and activity.created_at < %(now)s::timestamptz - make_interval(months => %(months)s)
    and stage.stage is distinct from 'pending'
    and (
        stage.stage in ('declined', 'canceled')
        or num_nonnulls(stage.ended_at, stage.expires_at, stage.gone_at) > 0
    )
    and greatest(
        activity.created_at, activity.attended_at, activity.completed_at, activity.valid_until,
        activity.expires_at, activity.gone_at, stage.ended_at
    ) < %(now)s::timestamptz - make_interval(months => %(months)s)
limit %(limit)s
