-- Records that a file was applied, and by which version.
insert into sync.schema_migrations (name, digest, package_version) values (%s, %s, %s)
on conflict (name) do update
set digest = excluded.digest, applied_at = excluded.applied_at, package_version = excluded.package_version
