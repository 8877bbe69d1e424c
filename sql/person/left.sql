-- What is held, and why
select what, number, why
from (
    select
        1 as place,
        'profile' as what,
        count(*) as number,
        'to name the person in new activities; erased by `pipeline erase`' as why
    from warehouse.entities
    where id = %(entity)s::uuid and num_nonnulls(name, avatar, score) > 0
    union all
    select
        2,
        case when consent.readable_now then 'values, readable' else 'values, hidden: ' || consent.why_not end,
        count(*),
        case
            when consent.readable_now then 'shared for now, by consent'
            else 'ACTIVITIES_EXPIRED_VALUES decides; erased by `pipeline erase`'
        end
    from analytics.consents as consent
    where consent.entity_id = %(entity)s::uuid and consent.has_value
    group by 2, 4
    union all
    select
        3,
        case activity.in_out_bound when 'IN' then 'messages that the person wrote to us'
        else 'messages that we wrote to the person'
        end,
        sum(num_nonnulls(activity.description, activity.notification_message)),
        case activity.in_out_bound when 'IN' then 'what we were asked for; erased by `pipeline erase --messages`'
        else 'evidence of what was asked; erased by `pipeline erase --messages`'
        end
    from warehouse.activities as activity
    where activity.entity_id = %(entity)s::uuid
        and num_nonnulls(activity.description, activity.notification_message) > 0
    group by 2, 4
    union all
    select
        4,
        'authorization requests with the number',
        count(*),
        'to find the answer, and to ask nobody twice; erased by `pipeline erase`, once their calls are settled'
    from ({requests}) as request
    where request.phone_number <> ''
    union all
    select
        5,
        'activities: codes, statuses and times',
        count(*),
        'the record of what happened; stays for good, without anything personal once it is erased'
    from warehouse.activities
    where entity_id = %(entity)s::uuid
    union all
    select
        6,
        'decisions that the service no longer shows',
        count(*),
        'the record of who accepted and declined what; erased by `pipeline erase`'
    from warehouse.kept_decisions as kept
    inner join warehouse.activities as activity on activity.id = kept.activity_id
    where activity.entity_id = %(entity)s::uuid
    union all
    select
        7,
        'stored responses',
        count(*),
        'the tables are made from them; stay with null in place of what was erased'
    from (
        select from landing.activity_details
        where landing.mentions(body, %(entity)s::uuid)
        union all
        select from landing.activity_list_rows
        where landing.mentions(body, %(entity)s::uuid)
    ) as response
    union all
    select 8, 'keyed digests of the number', count(*), 'so that nobody is asked again by mistake; stay for good'
    from sync.erased_phones
    where digest in (select sync.phone_digest(spelled) from unnest(%(numbers)s::text[]) as spelled)
) as held
where number > 0
order by place, what
