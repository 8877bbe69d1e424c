-- What old runs changed. What was gone and came back stays: analytics.activity_as_of reads it.
delete from sync.run_changes
where ctid = any(
    array(
        select change.ctid
        from sync.run_changes as change
        inner join sync.runs as run on run.run_id = change.run_id
        where run.started_at < now() - %(days)s * interval '1 day'
            and change.change not in ('gone', 'returned')
        limit %(limit)s
    )
)
