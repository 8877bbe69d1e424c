-- A sources.yml for dbt: descriptions, freshness, tests of keys and relations, tags of sensitive columns.
-- Nights are one day apart: a night that is late is a warning, a missed one an error.
select json_build_object('version', 2, 'sources', json_agg(source.described order by source.place))
from (
    select
        array_position(%(schemas)s::text[], schema) as place,
        json_build_object(
            'name', schema,
            'schema', schema,
            'description', obj_description(to_regnamespace(schema), 'pg_namespace'),
            'tables', json_agg(described order by relation collate "C")
        ) as described
    from (
        select
            schema,
            relation,
            json_strip_nulls(json_build_object(
                'name', relation,
                'description', relation_comment,
                'config', case when relation = 'freshness' then '{
                    "loaded_at_field": "newest_verification",
                    "freshness": {
                        "warn_after": {"count": 26, "period": "hour"},
                        "error_after": {"count": 50, "period": "hour"}
                    }
                }'::json end,
                'columns', json_agg(json_build_object(
                    'name', name,
                    'description', comment,
                    'data_type', type,
                    'config', case
                        when %(classified)s::jsonb -> format('%%s.%%s', schema, relation) ->> name
                            in ('personal', 'value', 'message')
                            then json_build_object('tags', json_build_array(
                                %(classified)s::jsonb -> format('%%s.%%s', schema, relation) ->> name
                            ))
                    end,
                    'data_tests', tests.listed
                ) order by number)
            )) as described
        from columns
        cross join lateral (
            select schema = 'analytics' and relation in ('activities', 'requirements', 'items', 'status_changes') as is_fact
        ) as fact
        left join (
            values
            ('entity_id', 'counterparts', 'entity_id'),
            ('created_day', 'days', 'day'),
            ('activity_id', 'activities', 'activity_id')
        ) as reached (by_column, dimension, dimension_key) on by_column = name and relation <> dimension
        cross join lateral (
            select json_agg(test.described order by test.place) as listed
            from (
                values
                (1, case when is_key then '"not_null"'::json end),
                (2, case when is_whole_key then '"unique"'::json end),
                -- Only to what is a source, too.
                (3, case when target_key is not null and target_schema = any(%(schemas)s) then json_build_object(
                    'relationships', json_build_object('arguments', json_build_object(
                        'to', format('source(''%%s'', ''%%s'')', target_schema, target), 'field', target_key
                    ))
                ) end),
                -- Of facts also to the dimensions, which are views, and of an item to its activity.
                (4, case when is_fact and dimension is not null and dimension is distinct from target then json_build_object(
                    'relationships', json_build_object('arguments', json_build_object(
                        'to', format('source(''analytics'', ''%%s'')', dimension), 'field', dimension_key
                    ))
                ) end)
            ) as test (place, described)
            where test.described is not null
        ) as tests
        group by schema, relation, relation_comment
    ) as relations
    group by schema
) as source
