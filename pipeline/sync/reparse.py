"""Reparse: rebuild the tables of the warehouse from ``landing``, without one request.

Implements docs/design.md "Load". There are two passes over all activities, in batches by id. The
first finds the latest observation of each counterpart, because activities refer to counterparts. The
second loads each activity's newest details and list row again. Each batch is one transaction that
locks its ledger rows, so a run may work at the same time, and a reader never sees half an activity.
Rows that are right are not written, so a reparse that was killed is finished by the next one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.sync.counterparts import carried_entity
from pipeline.sync.mapping import load_mapper
from pipeline.sync.options import Progress, Summary
from pipeline.sync.recording import RunRecord
from pipeline.warehouse.answers import landing
from pipeline.warehouse.load import entities
from pipeline.warehouse.load.load import load_again
from pipeline.warehouse.state import ledger, service_facts
from pipeline.warehouse.state.rows import EntityObservation

#: Batches between two messages about the progress.
_BATCHES_A_MESSAGE = 20


@dataclass
class ReparseSummary(Summary):
    """What a reparse did. ``loaded`` counts activities, ``entities`` the counterparts written."""

    entities: int = 0

    def __str__(self) -> str:
        loaded = self.loaded
        return (
            f"{loaded.changed + loaded.unchanged:,} activities from landing: {loaded.changed:,}"
            f" rewritten, {loaded.unchanged:,} already right,"
            f" {self.quarantined:,} put into quarantine; {self.entities:,} counterparts rewritten;"
            f" {self.seconds:.1f} s"
        )


def reparse(
    engine: sa.Engine, zone: ZoneInfo, progress: Progress, run_id: str, batch_size: int = 200
) -> ReparseSummary:
    """Rebuild ``warehouse`` from ``landing`` and refresh the ledger; return what was done.

    ``zone`` is the configured zone, in which days are cut. What no longer maps goes to quarantine, and
    its stored rows stay. Needs memory for one batch of activities, and about 1.5 kB for each counterpart.
    Raises a ``WarehouseError``.
    """
    summary = ReparseSummary(run_id, "reparse")
    with RunRecord(engine, summary):
        service_facts.learn_zone(engine, zone.key)
        mapper = load_mapper(engine, zone)
        # Activities refer to counterparts, so these come first.
        summary.entities = rebuild_entities(engine, progress.log, batch_size)
        for ids in _batches(engine, progress.log, batch_size, "activities rebuilt"):
            summary.loaded += load_again(engine, run_id, mapper, ids)
        summary.quarantined = summary.loaded.quarantined
        entities.give_up_entities(engine)
        if summary.quarantined:
            problem = f"{summary.quarantined} responses no longer map and are in quarantine"
            summary.problems.append(problem)
    return summary


def rebuild_entities(engine: sa.Engine, log: Callable[[str], None], batch_size: int = 200) -> int:
    """Write each counterpart's latest observation; return how many were written.

    Raises a ``WarehouseError``.
    """
    stored = entities.stored_entities(engine)
    latest = dict[str, EntityObservation]()
    scores: dict[str, entities.Scores] = {name: {} for name in entities.altered_entities(engine)}
    for ids in _batches(engine, log, batch_size, "activities read for their counterparts"):
        for version in landing.versions(engine, ids):
            entity = carried_entity(version.body, version.last_seen_at)
            if entity is None:
                continue
            known = latest.get(entity.id)
            latest[entity.id] = entities.combine([known, entity]) if known else entity
            # One that is not stored lacks its scores too, also if nobody knows any longer that it was.
            if entity.id in scores or entity.id not in stored:
                score = entity.said["score"], entity.said["scoring_level"]
                scores.setdefault(entity.id, {})[version.first_seen_at] = score
    names = sorted(latest)
    written = 0
    for start in range(0, len(names), batch_size):
        batch = [latest[name] for name in names[start : start + batch_size]]
        written += entities.load_entities(engine, batch, scores)
    return written


def _batches(
    engine: sa.Engine, log: Callable[[str], None], batch_size: int, done: str
) -> Iterator[list[str]]:
    """Yield the ids of all activities in batches; report now and then how many are done."""
    last: str | None = None
    count = 0
    while ids := ledger.next_ids(engine, last, batch_size):
        yield ids
        last = ids[-1]
        count += len(ids)
        if count % (_BATCHES_A_MESSAGE * batch_size) == 0:
            log(f"{count:,} {done}")
