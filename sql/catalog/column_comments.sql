-- Statements that mark the comments of columns with what is sensitive, where they are not marked so yet.
-- The views that offer a table of warehouse again take its comments; keys refer to their fellow views. Where
-- the file of a view says nothing of a column, it means what it means in the first of these that has it.
with commented as (
    select
        said.relation,
        kind.column_name,
        coalesce(col_description(own.attrelid, own.attnum), '') as comment,
        case when base.attrelid is null
            then coalesce(
                col_description(own.attrelid, own.attnum),
                (
                    select col_description(fact.attrelid, fact.attnum)
                    from unnest(array[
                        'analytics.activities', 'analytics.requirements', 'analytics.items',
                        'analytics.activities_by_created_day', 'analytics.consents', 'warehouse.entities', 'warehouse.authorization_requests'
                    ]) with ordinality as named (name, place)
                    inner join pg_attribute as fact
                        on fact.attrelid = to_regclass(named.name)
                        and fact.attname = kind.column_name
                        and col_description(fact.attrelid, fact.attnum) is not null
                    order by named.place
                    limit 1
                )
            )
            else replace(col_description(base.attrelid, base.attnum), '(warehouse.', '(analytics.')
        end as meaning,
        case when kind.name in ('personal', 'value', 'message')
            then format(' [%%s]', kind.name)
            else ''
        end as mark
    from jsonb_each(%(classified)s) as said (relation, columns)
    cross join lateral jsonb_each_text(said.columns) as kind (column_name, name)
    inner join pg_attribute as own
        on own.attrelid = to_regclass(said.relation) and own.attname = kind.column_name
    left join pg_attribute as base
        on said.relation = any(%(surface)s)
        and base.attrelid = to_regclass(replace(said.relation, 'analytics.', 'warehouse.'))
        and base.attname = kind.column_name
),

wanted as (
    select
        relation,
        column_name,
        comment,
        regexp_replace(meaning, ' \[(personal|value|message)\]$', '') || mark as marked
    from commented
)

select format('comment on column %%s.%%I is %%L', relation, column_name, marked)
from wanted
where comment <> marked
