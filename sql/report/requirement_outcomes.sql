-- Requested requirements and their answers, the most requested first.
select
    coalesce(max(code_label), code) as requirement,
    code,
    sum(asked)::bigint as asked,
    sum(accepted)::bigint as accepted,
    sum(partly_accepted)::bigint as partly_accepted,
    sum(declined)::bigint as declined,
    sum(pending)::bigint as pending,
    sum(unanswered)::bigint as unanswered
from analytics.requirement_outcomes
where day between %(first)s and %(last)s
group by code
having sum(asked) > 0
order by 3 desc, 2
