-- Statements that drop the foreign keys to a stored view, which would keep it from being made again.
select format('alter table %%s drop constraint %%I', conrelid::regclass, conname)
from pg_constraint
where contype = 'f' and confrelid = to_regclass(%s) and conname like '%%\_fact'
