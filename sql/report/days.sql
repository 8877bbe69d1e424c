-- Per day: how many activities the service lists, and how many of them are stored.
select
    day,
    case
        when is_complete then 'complete'
        when incomplete = 'never asked for' then 'never asked for'
        when incomplete is null then 'not asked for yet'
        else 'not complete'
    end as state,
    listed_activities as listed,
    stored_activities as stored,
    quarantined_activities as quarantined,
    incomplete as why
from analytics.days
where day between %(first)s and %(last)s or incomplete is not null
order by 1
