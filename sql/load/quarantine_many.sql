-- Whether more than 20 activities and 5 % of all, or of the newest days run, are in quarantine. What is accepted
-- does not count.
select
    held.number > 20 and (
        20 * held.number > (select count(*) from sync.activity_ledger)
        or exists (
            select
            from (
                select quarantined, listed
                from sync.runs
                where kind = 'days' and finished_at is not null
                order by started_at desc
                limit 1
            ) as newest
            where quarantined > 20 and 20 * quarantined > listed
        )
    )
from (
    select count(distinct subject) as number
    from sync.quarantine
    where resolved_at is null and accepted_at is null
) as held
