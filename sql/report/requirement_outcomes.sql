-- Requested requirements and their answers, by who answers, the most requested first.
select
    coalesce(max(requirement_label), requirement_code) || case in_out_bound
        when 'IN' then ', of us' when 'OUT' then ', of them' else ''
    end as requirement,
    requirement_code as code,
    sum(asked)::bigint as asked,
    sum(accepted)::bigint as accepted,
    sum(partly)::bigint as partly_accepted,
    sum(declined)::bigint as declined,
    sum(pending)::bigint as pending,
    sum(unanswered)::bigint as unanswered
from analytics.requirements_by_created_day
where created_day between %(first)s and %(last)s
group by requirement_code, in_out_bound
having sum(asked) > 0
order by 3 desc, 2, 1
