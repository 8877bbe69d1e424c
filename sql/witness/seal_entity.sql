-- Counterparts whose rows were just written: what the tables hold of them now.
insert into sync.entity_ledger as known (entity_id, rows_digest)
select entity_id, digest
from sync.entity_digests
where entity_id = any(%(ids)s::uuid[])
on conflict (entity_id) do update set rows_digest = excluded.rows_digest
where known.rows_digest <> excluded.rows_digest
