-- How long answers took, by month of creation; the kinds with most answers first.
select
    coalesce(activity_type_label, activity_type, 'no type') || case in_out_bound
        when 'IN' then ', received'
        when 'OUT' then ', sent'
        else ''
    end as kind,
    to_char(created_month, 'YYYY-MM') || case when is_whole_month then '' else ' (part)' end as month,
    answered_activities as answers,
    hours_to_answer_p50 * interval '1 hour' as "half within",
    hours_to_answer_p90 * interval '1 hour' as "90 %% within",
    hours_to_completion_p50 * interval '1 hour' as "half completed within"
from analytics.activities_by_month
where answered_activities > 0
    and created_month between date_trunc('month', %(first)s::date) and %(last)s
order by sum(answered_activities) over (partition by activity_type, in_out_bound) desc, 1, created_month
