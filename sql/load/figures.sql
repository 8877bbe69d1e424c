-- What telemetry shows at the end of a run: name, unit, attributes and value of each metric that is known.
select
    'activities' as name,
    '{activity}' as unit,
    jsonb_build_object(
        'kind', run.kind, 'result', counted.result, 'run', %(run_id)s::text
    ) as attributes,
    counted.number::double precision as value
from sync.runs as run
cross join lateral (
    values
    ('listed', run.listed),
    ('new', run.new),
    ('changed', run.changed),
    ('unchanged', run.unchanged),
    ('gone', run.gone),
    ('quarantined', run.quarantined),
    ('healed', run.healed)
) as counted (result, number)
where starts_with(run.run_id, %(run_id)s)
union all
select
    known.name,
    known.unit,
    '{}',
    known.value
from analytics.freshness as fresh
cross join lateral (
    values
    -- The end of the last complete day in epoch seconds: what reads it computes the lag of this instant.
    (
        'coverage.complete_through', 's',
        extract(
            epoch from (fresh.complete_so_far_except_quarantined + 1)::timestamp at time zone fresh.time_zone
        )::double precision
    ),
    ('coverage.incomplete_days', '{day}', fresh.incomplete_days),
    ('stale.bound', '1', fresh.stale_upper_bound),
    (
        'quarantine.open', '{activity}',
        (select count(*) from sync.quarantine where resolved_at is null)
    )
) as known (name, unit, value)
where known.value is not null;
