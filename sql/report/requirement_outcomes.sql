-- Requested requirements and their answers, by who answers, the most requested first.
select
    coalesce(max(requirement_label), requirement_code) || case in_out_bound
        when 'IN' then ', of us' when 'OUT' then ', of them' else ''
    end as requirement,
    requirement_code as code,
    count(*) as asked,
    count(*) filter (where outcome = 'accepted') as accepted,
    count(*) filter (where outcome = 'partly') as partly_accepted,
    count(*) filter (where outcome = 'declined') as declined,
    count(*) filter (where outcome = 'pending') as pending,
    count(*) filter (where outcome = 'unanswered') as unanswered,
    count(*) filter (where outcome = 'not_known') as not_known
from analytics.requirements
where is_asked and created_day between %(first)s and %(last)s
group by requirement_code, in_out_bound
order by 3 desc, 2, 1
