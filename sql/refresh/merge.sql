-- Brings a stored view up to date where it is stale. A row that comes out equal is left alone: as
-- composite values of one type two rows are equal also where both hold null.
create temporary table {staged} on commit drop as
select row from {fresh} as row;

delete from {view} as stored
where {is_stale}
    and not exists (select from {staged} as staged where staged.row = stored);

insert into {view}
select (staged.row).*
from {staged} as staged
where not exists (select from {view} as stored where stored = staged.row and {is_stale})
