-- What the calls of the last day that were recognised show of the service, the worst of each.
with recent as (
    select
        request.recognized,
        extract(epoch from (request.recognized ->> 'created_at')::timestamptz - request.sent_at) as ahead
    from warehouse.authorization_requests as request
    where request.recognized is not null
        and request.sent_at > (
            select max(newest.sent_at) - interval '1 day'
            from warehouse.authorization_requests as newest
            where newest.recognized is not null
        )
),

shown (fact, value) as (
    select 'authorization_text', (array['kept', 'altered', 'cut'])[
        max(array_position(array['kept', 'altered', 'cut'], recognized ->> 'text'))
    ] from recent
    union all
    select 'authorization_requirements', (array['kept', 'expanded', 'absent'])[
        max(array_position(array['kept', 'expanded', 'absent'], recognized ->> 'requirements'))
    ] from recent
    union all
    select 'authorization_validity', min(recognized ->> 'validity') from recent
    union all
    select 'authorization_created', format('%s to %s s after the call', round(min(ahead), 1), round(max(ahead), 1)) from recent
    union all
    select 'authorization_listed', format('seen %s s after the answer', ceil(max((recognized ->> 'seen_after')::numeric))) from recent
)

select fact, value from shown where value is not null and exists (select from recent)
