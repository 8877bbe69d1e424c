-- After a verified walk: a malformed list row that the list no longer carries is settled; one that
-- reads well now is settled by being loaded.
update sync.quarantine set resolved_at = %(at)s
where source = 'list'
    and resolved_at is null
    and day = any(%(days)s::date[])
    and not subject = any(%(subjects)s::text[])
