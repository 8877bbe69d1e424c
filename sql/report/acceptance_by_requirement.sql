-- How often is each requirement accepted, of them (OUT) and of us (IN)?
-- Written from sql/metrics.yml.
select
    requirement_code,
    requirement_label,
    in_out_bound,
    count(*) filter (where is_asked) as asked_requirements,
    count(*) filter (where is_asked and outcome = 'accepted') as accepted_requirements,
    count(*) filter (where is_asked and outcome = 'partly') as partly_accepted_requirements,
    count(*) filter (where is_asked and outcome = 'declined') as declined_requirements,
    count(*) filter (where is_asked and outcome = 'pending') as pending_requirements,
    count(*) filter (where is_asked and outcome = 'unanswered') as unanswered_requirements,
    count(*) filter (where is_asked and outcome = 'not_known') as not_known_requirements,
    round(
        count(*) filter (where is_in_acceptance_rate and is_accepted)::numeric
        / nullif(count(*) filter (where is_in_acceptance_rate), 0), 3
    ) as requirement_acceptance_rate
from analytics.requirements
where is_asked and created_day between %(first)s and %(last)s
group by 1, 2, 3
order by asked_requirements desc, 1, 3
