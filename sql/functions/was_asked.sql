-- Whether a person was asked lately.
create or replace function warehouse.was_asked(asked_number text, within_days integer, besides uuid) returns boolean
language sql
stable
as $$
    select exists (
        select
        from warehouse.authorization_requests as request
        where coalesce(request.subscriber, request.phone_number) = asked_number
            and request.id is distinct from besides
            -- A call that a person gave up may have asked.
            and (request.state not in ('rejected', 'failed') or request.resolved_from is not null)
            and (
                request.state in ('queued', 'sending')
                or greatest(request.requested_at, request.sent_at) > now() - within_days * interval '1 day'
            )
    )
$$;
