-- Who can read which relation of ours now, and which roles of analysts there are.
select oid::text, relacl::text
from pg_class
where oid in (select to_regclass(name) from unnest(%(relations)s::text[]) as name)
union all
select oid::text, rolname
from pg_roles
where rolname = any(%(roles)s)
order by 1, 2
