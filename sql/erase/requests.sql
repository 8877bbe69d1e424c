-- Empties the authorization requests of a person, and remembers the digests of the numbers, and the counterpart.
-- A request whose call is under way stays until it is settled. One that waits, or is open, fails.
with theirs as ({requests}),

remembered as (
    insert into sync.erased_phones (digest, erased_at)
    select distinct sync.phone_digest(spelled.number), now()
    from (
        select unnest(%(numbers)s::text[]) as number
        union
        select unnest(array[phone_number, subscriber])
        from theirs
        where phone_number like '+%%'
    ) as spelled
    where spelled.number is not null
    on conflict (digest) do update set erased_at = excluded.erased_at
),

kept_out as (
    insert into sync.erased_entities as known (entity_id, erased_at, messages)
    select asked.entity_id, now(), %(messages)s
    from (select %(entity)s::uuid as entity_id) as asked
    where asked.entity_id is not null
    on conflict (entity_id) do update set
        erased_at = excluded.erased_at,
        messages = known.messages or excluded.messages
)

update warehouse.authorization_requests as request
set
    reference = null,
    description = '',
    phone_number = '',
    subscriber = null,
    state = case when request.state in ('queued', 'sent', 'unknown') then 'failed' else request.state end,
    state_reason = 'the person''s data were erased on request',
    next_look_at = null,
    candidates = '[]',
    digest = null,
    counterpart_id = null,
    resolved_from = null,
    message_reference = null
from theirs
where theirs.id = request.id and request.state <> 'sending' and request.phone_number <> ''
