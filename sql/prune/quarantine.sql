-- Entries that were resolved long ago.
delete from sync.quarantine
where ctid = any(
    array(
        select entry.ctid
        from sync.quarantine as entry
        where entry.resolved_at < now() - %(days)s * interval '1 day'
        limit %(limit)s
    )
)
