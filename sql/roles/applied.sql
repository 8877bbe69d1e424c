-- Records of which rules the grants in this database were made.
insert into sync.grant_versions (digest) values (%s)
on conflict (applied) do update set digest = excluded.digest, applied_at = now()
