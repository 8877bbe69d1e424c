"""Reparse: the tables of the warehouse made anew from ``landing``, without one request.

Two passes over landing, in batches by activity id. The first looks for the latest observation of
each counterpart, since activities refer to counterparts; the second maps each activity's newest
details and list row. Each batch is a transaction of its own that holds the ledger rows locked as a
load does, so that a run may work beside it, a reader never sees half an activity, and a killed
reparse is finished by the next one: what is already as it should be is not written again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from pipeline.service.errors import UnexpectedShape
from pipeline.service.models import Entity
from pipeline.service.reading import Reader
from pipeline.sync.mapping import Unstorable, load_mapper, observe_entity
from pipeline.sync.options import Progress, Summary
from pipeline.sync.recording import RunRecord
from pipeline.sync.remap import Remapper
from pipeline.warehouse import coverage, landing, rebuild, service_facts
from pipeline.warehouse.landing import Version
from pipeline.warehouse.rebuild import Written
from pipeline.warehouse.rows import EntityObservation

#: Batches between two words about how far it is.
_BATCHES_A_WORD = 20


class _Carrier(msgspec.Struct, gc=False):
    """As much of a response, details or list row, as is needed for its counterpart."""

    entity: Entity | None = None


_carrier_reader = Reader(_Carrier, "the response")


@dataclass
class ReparseSummary:
    """What a reparse did, in activities; ``entities``: counterparts written."""

    run_id: str
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    quarantined: int = 0
    entities: int = 0
    seconds: float = 0.0
    days: set[date] = field(default_factory=set, repr=False)

    @property
    def activities(self) -> int:
        """How many activities landing holds."""
        return self.changed + self.unchanged

    @property
    def status(self) -> str:
        """``complete``, or ``incomplete``: something no longer maps and is in quarantine."""
        return "incomplete" if self.quarantined else "complete"

    def __str__(self) -> str:
        return (
            f"{self.activities:,} activities from landing: {self.changed:,} rewritten,"
            f" {self.unchanged:,} already as they should be, {self.removed:,} removed,"
            f" {self.quarantined:,} put into quarantine; {self.entities:,} counterparts rewritten;"
            f" {self.seconds:.1f} s"
        )


def reparse(
    engine: sa.Engine, zone: ZoneInfo, progress: Progress, run_id: str, batch_size: int = 500
) -> ReparseSummary:
    """Rebuild ``warehouse`` from ``landing`` and refresh the ledger; return what was done.

    Makes no request. ``zone``: the configured zone, in which days are cut. What no longer maps goes
    to quarantine, and its stored rows stay. Where nothing differs no row is written. Memory: about
    1.5 kB a counterpart, and a batch. Raises a ``WarehouseError``.
    """
    summary = ReparseSummary(run_id)
    record = Summary(run_id, "reparse")
    with RunRecord(engine, record):
        try:
            _Reparse(engine, zone, progress, summary, batch_size).run()
        finally:
            record.unchanged, record.quarantined = summary.unchanged, summary.quarantined
            record.loaded.changed = summary.changed
        if summary.quarantined:
            problem = f"{summary.quarantined} responses no longer map and are in quarantine"
            record.problems.append(problem)
    summary.seconds = record.seconds
    return summary


class _Reparse:
    """One reparse under way."""

    def __init__(
        self,
        engine: sa.Engine,
        zone: ZoneInfo,
        progress: Progress,
        summary: ReparseSummary,
        batch_size: int,
    ) -> None:
        self._engine = engine
        self._zone = zone
        self._progress = progress
        self._summary = summary
        self._batch_size = batch_size
        self._remapper = Remapper(load_mapper(engine, zone))

    def run(self) -> None:
        """Do all of it. Raises a ``WarehouseError``."""
        service_facts.learn(self._engine, service_facts.ZONE, self._zone.key)
        stored = landing.stored_entities(self._engine)
        entities = self._latest_entities()
        self._write_entities(entities)
        unknown = sorted(stored - entities.keys())
        entities.clear()
        written = Written()
        for ids in self._batches("activities rebuilt"):
            written += rebuild.rebuild(
                self._engine, self._summary.run_id, ids, self._remapper.remap
            )
        removed, days = rebuild.remove_unknown(self._engine, unknown)
        self._summary.changed = written.changed
        self._summary.unchanged = written.unchanged
        self._summary.quarantined = written.quarantined
        self._summary.removed = removed
        self._summary.days = written.days | days
        coverage.recount(self._engine, sorted(self._summary.days))

    def _batches(self, done: str) -> Iterator[list[str]]:
        """Yield the ids of landing in batches, and tell now and then how many are done."""
        last: str | None = None
        number = count = 0
        while ids := landing.next_ids(self._engine, last, self._batch_size):
            yield ids
            last = ids[-1]
            count += len(ids)
            number += 1
            if number % _BATCHES_A_WORD == 0:
                self._progress.log(f"{count:,} {done}")

    def _latest_entities(self) -> dict[str, EntityObservation]:
        latest: dict[str, EntityObservation] = {}
        for ids in self._batches("activities read for their counterparts"):
            for version in landing.versions(self._engine, ids):
                entity = _carried(version)
                if entity is None:
                    continue
                known = latest.get(entity.id)
                if known is None or known.observed_at <= entity.observed_at:
                    latest[entity.id] = entity
        return latest

    def _write_entities(self, entities: dict[str, EntityObservation]) -> None:
        names = sorted(entities)
        for start in range(0, len(names), self._batch_size):
            batch = [entities[name] for name in names[start : start + self._batch_size]]
            self._summary.entities += rebuild.write_entities(self._engine, batch)


def _carried(version: Version) -> EntityObservation | None:
    """Return the counterpart that a response carries; None: none, or none that maps."""
    try:
        carrier = _carrier_reader.read_anything(version.body)
        return observe_entity(carrier.entity, version.last_seen_at)
    except (UnexpectedShape, Unstorable):
        return None
