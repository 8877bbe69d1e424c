-- A run ends: how, why, and what it counted.
update sync.runs set
    finished_at = now(),
    status = %(status)s,
    error = %(error)s,
    listed = %(listed)s,
    new = %(new)s,
    changed = %(changed)s,
    unchanged = %(unchanged)s,
    gone = %(gone)s,
    quarantined = %(quarantined)s,
    healed = %(healed)s,
    pruned = %(pruned)s,
    erased = %(erased)s,
    requests = %(requests)s,
    retries = %(retries)s,
    logins = %(logins)s,
    bytes_received = %(bytes_received)s
where run_id = %(run_id)s
