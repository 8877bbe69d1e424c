-- Who can read which relation, as statements, by the sensitivity of its columns:
-- analytics   `analyst` reads a view whole, unless it shows what is sensitive: then only `analyst_personal`
--             reads it. Views that ask may_see_personal() hide it from analysts themselves.
-- warehouse   `analyst` reads a table without sensitive columns whole, and of the others the columns that are
--             not sensitive. `analyst_personal` also reads messages.
-- sync        only coverage. landing: nothing.
-- A relation that is not listed is another's: its grants stay as they are.
with listed as (
    select
        said.relation,
        bool_or(kind.name in ('personal', 'value', 'message')) as sensitive,
        string_agg(quote_ident(kind.column_name), ', ') filter (
            where kind.name in ('key', 'none', 'profile')
        ) as harmless,
        string_agg(quote_ident(kind.column_name), ', ') filter (
            where kind.name = 'message'
        ) as messages,
        coalesce(
            position('may_see_personal' in pg_get_viewdef(to_regclass(said.relation))) > 0, false
        ) as hides
    from jsonb_each(%(classified)s) as said (relation, columns)
    cross join lateral jsonb_each_text(said.columns) as kind (column_name, name)
    where to_regclass(said.relation) is not null
    group by said.relation
)

select format('revoke all on %%s from analyst, analyst_personal', relation)
from listed
union all
select format('grant select on %%s to %%s', relation, case when sensitive and not hides
        then 'analyst_personal'
    else 'analyst'
end)
from listed
where starts_with(relation, 'analytics.') or relation = 'sync.coverage'
union all
select case when sensitive
        then format('grant select (%%s) on %%s to analyst', harmless, relation)
    else format('grant select on %%s to analyst', relation)
end
from listed
where starts_with(relation, 'warehouse.')
union all
select format('grant select (%%s) on %%s to analyst_personal', messages, relation)
from listed
where starts_with(relation, 'warehouse.') and messages is not null
