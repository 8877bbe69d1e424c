-- What creates the roles that the server lacks, marks them as ours, and lets our role act as them
-- (`pipeline export`), as statements.
select made.statement
from (
    values
    (1, 'analyst', 'create role analyst nologin'),
    (2, 'analyst_personal', 'create role analyst_personal nologin in role analyst'),
    (3, 'analyst', format('comment on role analyst is %%L', %(mark)s::text)),
    (4, 'analyst_personal', format('comment on role analyst_personal is %%L', %(mark)s::text)),
    (5, null, format('grant analyst, analyst_personal to %%I', current_user))
) as made (place, role, statement)
where made.role is null or to_regrole(made.role) is null
order by made.place
