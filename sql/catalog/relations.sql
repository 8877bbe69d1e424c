-- Tables and views, each with its columns in order.
select
    schema,
    relation as name,
    relation_comment as comment,
    json_agg(json_build_object('name', name, 'type', type, 'comment', comment) order by number) as columns
from columns
group by schema, relation, relation_comment
order by array_position(%(schemas)s::text[], schema), relation collate "C"
