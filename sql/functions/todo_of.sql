-- What there is to do, and why: the view sync.todo.
create or replace function sync.todo_of(first date, last date, service_now timestamptz, stale_before timestamptz)
returns table (activity_id uuid, day date, reason text)
language sql
stable
as $$
    with held as (
        select
            subject,
            -- No pause is longer than a week: a later time comes from a wrong clock.
            bool_or(next_attempt_at between now() and now() + interval '7 days') as waits
        from sync.quarantine
        where resolved_at is null and source = 'details'
        group by subject
    )

    select found.activity_id, found.day, found.reason
    from (
        select
            ledger.activity_id,
            ledger.day,
            case
                when ledger.gone_at is not null
                    then case
                        when ledger.unlisted_at is null then 'listed again'
                        when held.subject is not null then 'in quarantine'
                    end
                -- The list need not have what is finished, if its details still come.
                when ledger.unlisted_at is not null and (ledger.final and ledger.checked_at > ledger.unlisted_at) is not true
                    then 'no longer listed'
                when ledger.settled is distinct from ledger.listed
                    then case when ledger.details is null then 'new' else 'changed' end
                when held.subject is not null then 'in quarantine'
                when ledger.deadline_at <= service_now
                    or (not ledger.final and coalesce(ledger.service_time <= stale_before, true))
                    -- It was checked while the service's clock was ahead.
                    or (ledger.withheld_at is null and ledger.service_time > service_now + interval '2 hours')
                    then 'due'
                when ledger.discrepancy is not null and ledger.discrepancy_settled_at is null then 'doubtful'
            end as reason,
            held.waits
        from sync.activity_ledger as ledger
        left join held on held.subject = ledger.activity_id::text
        where ledger.day between first and last
            -- Whatever has a reason is among these.
            and (
                ledger.unsettled
                or ledger.service_time > service_now + interval '2 hours'
                or ledger.activity_id = any(array(select held.subject::uuid from held where length(held.subject) = 36))
            )
    ) as found
    where found.reason is not null
        and (found.waits is not true or found.reason = 'no longer listed')
$$;
