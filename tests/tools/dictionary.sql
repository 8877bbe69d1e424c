-- The dictionary's parts in Markdown, in order: each schema with its relations and functions, the diagram and the
-- codes. What analysts do not read is in a table of relations, without columns.
select part.text
from (
    select
        2 * cardinality(%(schemas)s::text[]) + 1 as place,
        '' as name,
        concat_ws(
            e'\n',
            e'## How the tables are related\n\n```mermaid\nerDiagram',
            (
                select string_agg(
                    format('    %%s ||--o{ %%s : %%s', target, relation, name),
                    e'\n' order by relation collate "C", number
                )
                from columns
                where schema = 'warehouse' and target is not null
            ),
            -- References without a foreign key.
            '    activities ||--|| activity_ledger : "id = activity_id"',
            '    coverage ||--o{ activity_ledger : "day"',
            '```'
        ) as text
    union all
    select
        2 * array_position(%(schemas)s::text[], nspname::text),
        '',
        format(e'## Schema `%%s`\n\n%%s', nspname, obj_description(oid, 'pg_namespace'))
    from pg_namespace
    where nspname = any(%(schemas)s)
    union all
    select
        2 * array_position(%(schemas)s::text[], schema),
        relation,
        format(
            e'### %%s `%%s.%%s`\n\n%%s\n\n| column | type | meaning |\n|---|---|---|\n%%s',
            upper(left(kind, 1)) || substr(kind, 2),
            schema,
            relation,
            relation_comment,
            string_agg(
                format(
                    '| %%s | %%s | %%s |',
                    case when is_key then format('**%%s**', name) else name end,
                    type,
                    replace(replace(comment, '|', '\|'), e'\n', ' ')
                ),
                e'\n' order by number
            )
        )
    from columns
    where schema = any(%(read)s)
    group by schema, relation, kind, relation_comment
    union all
    select
        2 * array_position(%(schemas)s::text[], schema),
        '~',
        e'| relation | what it is |\n|---|---|\n'
        || string_agg(format('| `%%s` | %%s |', relation, replace(relation_comment, '|', '\|')), e'\n' order by relation)
    from (
        select distinct schema, relation, relation_comment from columns where not schema = any(%(read)s)
    ) as inner_relations
    group by schema
    union all
    select
        2 * array_position(%(schemas)s::text[], 'analytics') + 1,
        format('%%s %%s', proname, pronargs),
        format(
            e'### Function `analytics.%%s(%%s) returns %%s`\n\n%%s',
            proname,
            pg_get_function_arguments(oid),
            pg_get_function_result(oid),
            obj_description(oid, 'pg_proc')
        )
    from pg_proc
    where pronamespace = 'analytics'::regnamespace
    union all
    select
        2 * cardinality(%(schemas)s::text[]) + 2,
        '',
        e'## Codes\n\nRows of `analytics.codes`.\n\n| kind | code | label | belongs to |\n|---|---|---|---|\n'
        || string_agg(format('| %%s | %%s | %%s | %%s |', kind, code, label, parent_code), e'\n' order by kind, code)
    from analytics.codes
) as part
order by part.place, part.name collate "C"
