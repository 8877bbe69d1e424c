-- Whom nobody asks again, since their data were erased on request.
create or replace function sync.is_erased_phone(number text) returns boolean
language sql
stable
as $$
    select
        exists (select from sync.erased_phones where digest = sync.phone_digest(number))
        -- Erased as a counterpart, before anybody knew the number.
        or exists (
            select
            from warehouse.authorization_requests as request
            inner join sync.erased_entities as erased on erased.entity_id::text = request.counterpart_id
            where coalesce(request.subscriber, request.phone_number) = number
        )
$$;
