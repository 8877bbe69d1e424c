-- Roles with rights from an administrator that our grants cannot limit.
select role.rolname
from pg_roles as role
where
    role.rolname = any(%(roles)s)
    and (
        role.rolsuper
        or pg_has_role(
            role.oid, (select nspowner from pg_namespace where nspname = 'warehouse'), 'member'
        )
        or pg_has_role(role.oid, 'pg_read_all_data', 'member')
        or pg_has_role(role.oid, 'pg_read_server_files', 'member')
        or pg_has_role(role.oid, 'pg_execute_server_program', 'member')
    )
order by 1
