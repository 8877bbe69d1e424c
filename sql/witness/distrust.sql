-- Altered activities that landing can't restore: whatever the service lists is news, and details are
-- needed. An empty digest is nobody's: the children that are stored go when details come.
update sync.activity_ledger set
    list_digest = null,
    details_fingerprint = null,
    details_digest = case when details_digest is not null then ''::bytea end,
    mapping_version = null,
    checked_at = null,
    service_time = null
where activity_id = any(%(ids)s::uuid[])
