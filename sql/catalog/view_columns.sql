-- Name and type of the columns of a relation, in order.
select quote_ident(attname), format_type(atttypid, atttypmod)
from pg_attribute
where attrelid = %s::regclass and attnum > 0 and not attisdropped
order by attnum
