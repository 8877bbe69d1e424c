-- Roles of these names without our mark, which nobody has granted anything in this database through us.
select role.rolname
from pg_roles as role
where
    role.rolname = any(%(roles)s)
    and shobj_description(role.oid, 'pg_authid') is distinct from %(mark)s
    and not exists (select from sync.grant_versions)
order by 1
