-- Statements that take the comments of the columns of our views away. They are made again, all in one way: where the
-- file of a view says nothing of a column, another view has its meaning, which may have changed.
select format('comment on column %%s.%%I is null', attrelid::regclass, attname)
from jsonb_object_keys(%(classified)s) as said (relation)
inner join pg_attribute on attrelid = to_regclass(said.relation)
where said.relation like 'analytics.%%'
    and said.relation <> 'analytics.codes'
    and attnum > 0
    and not attisdropped
    and col_description(attrelid, attnum) is not null
