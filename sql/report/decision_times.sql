-- How long answers took, by month of creation; the kinds with most answers first.
select
    coalesce(type_label, type, 'no type') || case in_out_bound
        when 'IN' then ', received'
        when 'OUT' then ', sent'
        else ''
    end as kind,
    to_char(month, 'YYYY-MM') as month,
    attended as answers,
    created_to_attended_hours_p50 * interval '1 hour' as "half within",
    created_to_attended_hours_p90 * interval '1 hour' as "90 %% within",
    attended_to_completed_hours_p50 * interval '1 hour' as "half completed within"
from analytics.decision_times
where attended > 0
    and month between date_trunc('month', %(first)s::date) and %(last)s
order by sum(attended) over (partition by type, in_out_bound) desc, 1, month
