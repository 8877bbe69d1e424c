-- Brings the stale rows of a stored view up to date. An equal row is not written: two rows compared as
-- whole values of one type are equal also where both have null.
create temporary table {staged} on commit drop as
select row from {fresh} as row;

delete from {view} as stored
where {is_stale}
    and not exists (select from {staged} as staged where staged.row = stored);

insert into {view}
select (staged.row).*
from {staged} as staged
where not exists (select from {view} as stored where stored = staged.row and {is_stale})
