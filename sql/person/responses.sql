-- Stored responses that name the person's ID
select
    response.source,
    response.activity_id::text as activity_id,
    response.first_seen_at,
    length(response.body) as bytes,
    -- Of others, who only name this one, nothing is shown.
    case when landing.read_uuid(said.fields -> 'entity' ->> 'id') = %(entity)s::uuid then said.fields end as body
from (
    select 'details' as source, activity_id, first_seen_at, body
    from landing.activity_details
    union all
    select 'list', activity_id, first_seen_at, body
    from landing.activity_list_rows
) as response
cross join lateral (select landing.read_json(response.body) as fields) as said
where landing.mentions(response.body, %(entity)s::uuid)
order by response.activity_id, response.first_seen_at
