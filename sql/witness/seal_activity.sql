-- Activities whose rows were just written: what the tables hold of them now.
update sync.activity_ledger as ledger set rows_digest = held.digest
from sync.activity_digests as held
where ledger.activity_id = held.activity_id
    and held.activity_id = any(%(ids)s::uuid[])
    and ledger.rows_digest <> held.digest
