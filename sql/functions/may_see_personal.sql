-- Who may see personal values.
create or replace function analytics.may_see_personal() returns boolean
language sql
stable
set search_path = pg_catalog
as $$
    select exists (
        select from pg_roles as role
        where role.rolname = 'analyst_personal' and pg_has_role(current_user, role.oid, 'member')
    ) or exists (
        select from pg_namespace as schema
        where schema.nspname = 'warehouse' and pg_has_role(current_user, schema.nspowner, 'member')
    )
$$;
