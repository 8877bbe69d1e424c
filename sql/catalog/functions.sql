-- Functions of schema analytics: what analysts may call.
select
    format(
        '%s(%s) returns %s',
        function.proname,
        pg_get_function_arguments(function.oid),
        pg_get_function_result(function.oid)
    ),
    coalesce(obj_description(function.oid, 'pg_proc'), '')
from pg_proc as function
where function.pronamespace = 'analytics'::regnamespace
order by function.proname, function.pronargs
