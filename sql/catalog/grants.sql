-- Grants on the relations of analytics, and on single columns of them, as statements that give them again.
select
    relation.relname,
    array_agg(
        format(
            'grant %s%s on analytics.%I to %s%s',
            granted.privilege_type,
            granted.columns,
            relation.relname,
            case when granted.grantee = 0 then 'public' else granted.grantee::regrole::text end,
            case when granted.is_grantable then ' with grant option' else '' end
        )
    )
from pg_class as relation
cross join lateral (
    select acl.grantee, acl.privilege_type, acl.is_grantable, '' as columns
    from aclexplode(relation.relacl) as acl
    union all
    select acl.grantee, acl.privilege_type, acl.is_grantable, format(' (%I)', attribute.attname)
    from pg_attribute as attribute
    cross join lateral aclexplode(attribute.attacl) as acl
    where attribute.attrelid = relation.oid
) as granted
where relation.relnamespace = 'analytics'::regnamespace
    and granted.grantee <> relation.relowner
group by relation.relname
