-- depends: activities
create view analytics.activity_stages as
select
    fact.activity_id,
    fact.created_day as day,
    fact.activity_type as type,
    fact.in_out_bound,
    fact.direction,
    fact.entity_id,
    fact.status,
    case when fact.outcome = 'share' then 'accepted' else fact.outcome end as stage,
    fact.created_at,
    fact.answered_at as attended_at,
    fact.completed_at,
    coalesce(fact.answered_at, fact.created_at, fact.first_seen_at) as shared_from,
    fact.expires_at,
    case
        when status.shares is false then coalesce(
            (
                select max(event.date_time)
                from warehouse.timeline_events as event
                where event.activity_id = fact.activity_id and event.status = fact.status
            ),
            fact.updated_at,
            fact.details_fetched_at,
            fact.first_seen_at
        )
    end as ended_at,
    coalesce(status.shares is false or fact.expires_at <= now(), false) as sharing_over,
    fact.gone_at,
    fact.values_erased_at
from analytics.activities as fact
left join analytics.codes as status on status.kind = 'status' and status.code = fact.status;
comment on view analytics.activity_stages is 'Deprecated: use analytics.activities.';
