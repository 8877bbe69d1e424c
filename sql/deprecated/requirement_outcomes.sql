-- depends: requirements
create view analytics.requirement_outcomes as
select
    answer.created_day as day,
    answer.requirement_code as code,
    answer.requirement_label as code_label,
    count(*) filter (where answer.asked) as asked,
    count(*) filter (where answer.asked and answer.outcome = 'accepted') as accepted,
    count(*) filter (where answer.asked and answer.outcome = 'partly') as partly_accepted,
    count(*) filter (where answer.asked and answer.outcome = 'declined') as declined,
    count(*) filter (where answer.asked and answer.outcome = 'pending') as pending,
    count(*) filter (where answer.asked and answer.outcome = 'unanswered') as unanswered,
    count(*) filter (where not answer.asked) as unasked,
    round(
        count(*) filter (where answer.asked and answer.outcome in ('accepted', 'partly'))::numeric
        / nullif(count(*) filter (where answer.asked and answer.outcome in ('accepted', 'partly', 'declined')), 0), 4
    ) as acceptance_rate
from analytics.requirements as answer
group by 1, 2, 3;
comment on view analytics.requirement_outcomes is 'Deprecated: mixes our answers with theirs. Use analytics.requirements, by answered_by.';
