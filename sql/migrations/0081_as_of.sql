-- depends: 0080_star
-- Each stored version is parsed once, not once for each of its fields.
do $$
begin
    execute 'create or replace view landing.activity_versions as ' || replace(
        pg_get_viewdef('landing.activity_versions'::regclass),
        'landing.read_json(version.body) AS fields)',
        'landing.read_json(version.body) AS fields OFFSET 0)'
    );
    if pg_get_viewdef('landing.activity_versions'::regclass) not like '%OFFSET 0%' then
        raise exception 'landing.activity_versions is not as expected';
    end if;
end
$$;
