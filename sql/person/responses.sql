-- Stored responses that name the person's ID
select
    response.source,
    response.activity_id::text as activity_id,
    response.first_seen_at,
    length(response.body) as bytes,
    -- Of others, who only name this one, nothing is shown.
    case when lower(said.fields -> 'entity' ->> 'id') = %(entity)s::text then said.fields end as body
from (
    select 'details' as source, activity_id, first_seen_at, body
    from landing.activity_details
    union all
    select 'list', activity_id, first_seen_at, body
    from landing.activity_list_rows
) as response
cross join lateral (select landing.read_json(response.body) as fields) as said
where position(%(entity)s::text::bytea in response.body) > 0 or position(upper(%(entity)s::text)::bytea in response.body) > 0
order by response.activity_id, response.first_seen_at
