-- Foreign keys between the facts, by which tools draw them and map them. They are filled together, in one transaction,
-- so nothing must be checked row by row: from version 18 on PostgreSQL only records them.
do $$
declare
    said record;
begin
    for said in
        select *
        from (
            values
            ('requirements', 'activity_id', 'activities'),
            ('items', 'activity_id, requirement_number', 'requirements'),
            ('status_changes', 'activity_id', 'activities')
        ) as fact (child, columns, parent)
        where not exists (
                select
                from pg_constraint
                where conrelid = to_regclass('analytics.' || child) and conname = child || '_fact'
            )
    loop
        execute format(
            'alter table analytics.%I add constraint %I foreign key (%s) references analytics.%I (%s) %s',
            said.child, said.child || '_fact', said.columns, said.parent, said.columns,
            case
                when current_setting('server_version_num')::integer >= 180000 then 'not enforced'
                else 'deferrable initially deferred'
            end
        );
    end loop;
end
$$
