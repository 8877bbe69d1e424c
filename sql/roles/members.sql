-- Who can log in and read through the roles of analysts, but for our own role and superusers.
select distinct member.rolname
from pg_roles as member
inner join pg_roles as role on role.rolname = any(%(roles)s) and pg_has_role(member.oid, role.oid, 'member')
where member.rolcanlogin and not member.rolsuper and member.rolname <> current_user
order by 1
