-- What the calls of the last day that were recognised show of the service, the worst of each. A changed value
-- keeps the one before, as in load/learn_fact.sql.
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

insert into sync.service_facts as known (fact, value, learned_at)
select fact, value, now() from shown where value is not null and exists (select from recent)
on conflict (fact) do update set
    value = excluded.value,
    learned_at = excluded.learned_at,
    previous_value = case
        when known.value = excluded.value then known.previous_value else known.value
    end,
    changed_at = case when known.value = excluded.value then known.changed_at else now() end
