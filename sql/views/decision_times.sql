-- refreshed by: month
-- How long answers and completion took. Percentiles cannot be added up, so they are stored.
create table analytics.decision_times (
    month date,
    type text,
    type_label text,
    in_out_bound text,
    attended bigint,
    created_to_attended_p50 interval,
    created_to_attended_p90 interval,
    created_to_attended_p95 interval,
    completed bigint,
    attended_to_completed_p50 interval,
    attended_to_completed_p90 interval,
    attended_to_completed_p95 interval,
    created_to_completed_p50 interval,
    created_to_completed_p90 interval,
    created_to_completed_p95 interval,
    created_to_attended_hours_p50 double precision,
    created_to_attended_hours_p90 double precision,
    created_to_attended_hours_p95 double precision,
    attended_to_completed_hours_p50 double precision,
    attended_to_completed_hours_p90 double precision,
    attended_to_completed_hours_p95 double precision,
    created_to_completed_hours_p50 double precision,
    created_to_completed_hours_p90 double precision,
    created_to_completed_hours_p95 double precision,
    constraint decision_times_key unique nulls not distinct (month, type, in_out_bound)
);

create function sync.fresh_decision_times(days date[]) returns setof analytics.decision_times
language sql
stable
as $$
    with timed as (
        select
            date_trunc('month', ledger.day)::date as month,
            activity.type,
            activity.in_out_bound,
            activity.attended_at - activity.created_at as to_attended,
            activity.completed_at - activity.attended_at as to_completed,
            activity.completed_at - activity.created_at as in_all
        from warehouse.activities as activity
        left join sync.activity_ledger as ledger on ledger.activity_id = activity.id
        where (activity.attended_at is not null or activity.completed_at is not null)
            and (
                days is null
                or ledger.day = any(days)
                or (ledger.day is null and array_position(days, null) is not null)
            )
    ),

    measured as (
        select
            month,
            type,
            in_out_bound,
            count(to_attended) as attended,
            percentile_cont(array[0.5, 0.9, 0.95])
                within group (order by to_attended) as to_attended,
            count(in_all) as completed,
            percentile_cont(array[0.5, 0.9, 0.95])
                within group (order by to_completed) as to_completed,
            percentile_cont(array[0.5, 0.9, 0.95]) within group (order by in_all) as in_all
        from timed
        group by month, type, in_out_bound
    )

    select
        measured.month,
        measured.type,
        type.label,
        measured.in_out_bound,
        measured.attended,
        measured.to_attended[1],
        measured.to_attended[2],
        measured.to_attended[3],
        measured.completed,
        measured.to_completed[1],
        measured.to_completed[2],
        measured.to_completed[3],
        measured.in_all[1],
        measured.in_all[2],
        measured.in_all[3],
        extract(epoch from measured.to_attended[1])::double precision / 3600,
        extract(epoch from measured.to_attended[2])::double precision / 3600,
        extract(epoch from measured.to_attended[3])::double precision / 3600,
        extract(epoch from measured.to_completed[1])::double precision / 3600,
        extract(epoch from measured.to_completed[2])::double precision / 3600,
        extract(epoch from measured.to_completed[3])::double precision / 3600,
        extract(epoch from measured.in_all[1])::double precision / 3600,
        extract(epoch from measured.in_all[2])::double precision / 3600,
        extract(epoch from measured.in_all[3])::double precision / 3600
    from measured
    left join analytics.codes as type
        on type.kind = 'activity_type' and type.code = measured.type
$$;
comment on function sync.fresh_decision_times is
    'Rows of analytics.decision_times for the months of these days, measured now. Give all days of a month. Null: all months.';

comment on table analytics.decision_times is
    'Per month of creation, type and direction: percentiles of the time from creation to the answer and on to completion. Percentiles of several rows cannot be averaged.';
comment on column analytics.decision_times.month is 'First day of the month of creation, in the configured time zone.';
comment on column analytics.decision_times.type is 'Code of the activity type.';
comment on column analytics.decision_times.type_label is 'Label of the type.';
comment on column analytics.decision_times.in_out_bound is 'IN: received. OUT: sent.';
comment on column analytics.decision_times.attended is 'Number of activities that were accepted or declined.';
comment on column analytics.decision_times.created_to_attended_p50 is 'Half of the answers took no longer than this.';
comment on column analytics.decision_times.created_to_attended_p90 is '90 % of the answers took no longer than this.';
comment on column analytics.decision_times.created_to_attended_p95 is '95 % of the answers took no longer than this.';
comment on column analytics.decision_times.completed is 'Number of activities that were completed.';
comment on column analytics.decision_times.attended_to_completed_p50 is 'Half of the completions came no later than this after the answer.';
comment on column analytics.decision_times.attended_to_completed_p90 is '90 % of the completions came no later than this after the answer.';
comment on column analytics.decision_times.attended_to_completed_p95 is '95 % of the completions came no later than this after the answer.';
comment on column analytics.decision_times.created_to_completed_p50 is 'Half of the completions came no later than this after creation.';
comment on column analytics.decision_times.created_to_completed_p90 is '90 % of the completions came no later than this after creation.';
comment on column analytics.decision_times.created_to_completed_p95 is '95 % of the completions came no later than this after creation.';
comment on column analytics.decision_times.created_to_attended_hours_p50 is 'created_to_attended_p50, in hours.';
comment on column analytics.decision_times.created_to_attended_hours_p90 is 'created_to_attended_p90, in hours.';
comment on column analytics.decision_times.created_to_attended_hours_p95 is 'created_to_attended_p95, in hours.';
comment on column analytics.decision_times.attended_to_completed_hours_p50 is 'attended_to_completed_p50, in hours.';
comment on column analytics.decision_times.attended_to_completed_hours_p90 is 'attended_to_completed_p90, in hours.';
comment on column analytics.decision_times.attended_to_completed_hours_p95 is 'attended_to_completed_p95, in hours.';
comment on column analytics.decision_times.created_to_completed_hours_p50 is 'created_to_completed_p50, in hours.';
comment on column analytics.decision_times.created_to_completed_hours_p90 is 'created_to_completed_p90, in hours.';
comment on column analytics.decision_times.created_to_completed_hours_p95 is 'created_to_completed_p95, in hours.';
