-- Records that a file was applied.
insert into sync.schema_migrations (name, digest) values (%s, %s)
on conflict (name) do update set digest = excluded.digest, applied_at = excluded.applied_at
