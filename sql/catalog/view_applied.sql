-- Records of which text a view was made; a stored one is as of now.
insert into sync.view_versions (name, digest, refreshed_at)
values (%s, %s, case when %s then now() end)
on conflict (name) do update set
    digest = excluded.digest,
    applied_at = excluded.applied_at,
    refreshed_at = excluded.refreshed_at
