-- After a verified walk: resolve malformed list rows that the list no longer carries. A row that is
-- well formed now is resolved when it is loaded.
update sync.quarantine set resolved_at = %(at)s
where source = 'list'
    and resolved_at is null
    and day = any(%(days)s::date[])
    and not subject = any(%(subjects)s::text[])
