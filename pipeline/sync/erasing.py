"""Erasing batch by batch, telling how far it is (`pipeline.warehouse.erasing`)."""

from datetime import datetime

import sqlalchemy as sa

from pipeline.sync.options import Progress
from pipeline.warehouse import erasing
from pipeline.warehouse.wipe import Erasure

#: Activities of a person that are looked through in one transaction.
_BATCH = 100


def erase_expired(engine: sa.Engine, now: datetime, progress: Progress) -> Erasure:
    """Erase all shared values that are no longer shared at ``now``, the service's time.

    Raises a ``WarehouseError``; what was erased until then stays erased.
    """
    erased = Erasure()
    while batch := erasing.erase_due(engine, now):
        erased += batch
        progress.log(f"erased the values of {erased.activities:,} activities no longer shared")
    erased.payloads += erasing.erase_payloads(engine, now)
    return erased


def erase_person(engine: sa.Engine, entity: str, progress: Progress) -> Erasure:
    """Erase a counterpart's profile, shared values and traces in responses; nothing restores them.

    Raises a ``WarehouseError``; a second call goes on where the first one ended.
    """
    ids = erasing.erase_profile(engine, entity)
    erased = Erasure()
    for start in range(0, len(ids), _BATCH):
        erased += erasing.erase_entity(engine, entity, ids[start : start + _BATCH])
        progress.log(f"{min(start + _BATCH, len(ids)):,} of {len(ids):,} activities looked through")
    erased.payloads += erasing.erase_entity_payloads(engine, entity)
    return erased
